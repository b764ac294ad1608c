import type { Sharing } from '../port/store.ts'
import { channelOf, DATABASE_MS, requireLayout, type Site } from './postgres-batch.ts'
import type { Connection, Postgres } from './postgres-connection.ts'

/** What every process announces, under a name that nothing else has. */
export const ATTENDANCE = '(here)'

/** Sharing that can be ended: what this process had taken is free again. */
export interface PostgresSharing extends Sharing {
  /** Whether every change of another process is heard of; not before somebody wants to hear. */
  readonly isListening: () => boolean
  readonly end: () => Promise<void>
}

/**
 * How the processes at one schema share its work: leases and presences in tables, changes over LISTEN and NOTIFY, of which
 * `onNews` hears first.
 */
export function createSharing(postgres: Postgres, site: Site, onNews: () => void): PostgresSharing {
  const { schema, holder, measureTime } = site
  const ear = createEar(postgres, site, onNews)

  async function announce(names: readonly string[], seconds: number): Promise<void> {
    ear.mend()
    if (names.length === 0) return
    await postgres.ask(
      `INSERT INTO "${schema}".presences (name, holder, until)
       SELECT name, $2, now() + make_interval(secs => $3) FROM unnest($1::text[]) AS name ORDER BY name
       ON CONFLICT (name, holder) DO UPDATE SET until = EXCLUDED.until`,
      [names, holder, seconds],
    )
  }

  return {
    async attend(seconds) {
      await announce([ATTENDANCE], seconds)
      const measured = measureTime()
      const [row] = await postgres.ask(
        `SELECT count(*)::float8 AS number, ${DATABASE_MS} AS now_ms,
           (SELECT layout FROM "${schema}".head WHERE id = 1) AS layout
         FROM "${schema}".presences WHERE name = $1 AND until > now()`,
        [ATTENDANCE],
      )
      measured(Number(row?.now_ms))
      // A process that only reads would not notice otherwise that the columns mean something else now.
      requireLayout(row, site.layout)
      return Number(row?.number)
    },
    async take(names, seconds, most = names.length) {
      ear.mend()
      if (names.length === 0 || most <= 0) return []
      // Those it has come first, then those that are free.
      const rows = await postgres.ask(
        `INSERT INTO "${schema}".leases AS lease (name, holder, until)
         SELECT name, $2, now() + make_interval(secs => $3) FROM (
           SELECT wanted.name FROM unnest($1::text[]) AS wanted (name)
           LEFT JOIN "${schema}".leases AS kept ON kept.name = wanted.name
           WHERE kept.name IS NULL OR kept.holder = $2 OR kept.until < now()
           ORDER BY kept.holder IS NOT DISTINCT FROM $2 DESC, wanted.name LIMIT $4
         ) AS chosen ORDER BY name
         ON CONFLICT (name) DO UPDATE SET holder = EXCLUDED.holder, until = EXCLUDED.until
         WHERE lease.holder = EXCLUDED.holder OR lease.until < now() RETURNING name`,
        [names, holder, seconds, most],
      )
      return rows.map(({ name }) => String(name))
    },
    async release(names) {
      // All lock rows in the order of their names, so that none waits for another in a circle.
      await postgres.ask(
        `WITH own AS (SELECT name FROM "${schema}".leases WHERE holder = $1 AND name = ANY($2::text[])
                      ORDER BY name FOR UPDATE)
         DELETE FROM "${schema}".leases USING own WHERE leases.name = own.name AND holder = $1`,
        [holder, names],
      )
    },
    announce,
    async announcedElsewhere(names) {
      const rows = await postgres.ask(
        `SELECT DISTINCT name FROM "${schema}".presences
         WHERE name = ANY($1::text[]) AND holder <> $2 AND until > now()`,
        [names, holder],
      )
      return rows.map(({ name }) => String(name))
    },
    async isWritable() {
      const [row] = await postgres.ask('SELECT NOT pg_is_in_recovery() AS writable', [])
      return row?.['writable'] === true
    },
    shortage: postgres.shortage,
    onChange: ear.onChange,
    isListening: ear.isListening,
    async end() {
      // What cannot be given back now ends with its time, as announcements always do: who stops may only be restarting.
      await postgres.ask(`DELETE FROM "${schema}".leases WHERE holder = $1`, [holder]).catch(() => {})
      await announce([ATTENDANCE], 0).catch(() => {})
      await ear.end()
    },
  }
}

/** Removes what processes that ended without a word have left. */
export async function forgetTheGone(connection: Connection, { schema }: Site): Promise<void> {
  await connection.run(
    `DELETE FROM "${schema}".leases WHERE name IN
       (SELECT name FROM "${schema}".leases WHERE until < now() ORDER BY name FOR UPDATE SKIP LOCKED);
     DELETE FROM "${schema}".presences WHERE (name, holder) IN
       (SELECT name, holder FROM "${schema}".presences WHERE until < now() ORDER BY name FOR UPDATE SKIP LOCKED)`,
  )
}

/** The connection on which a process hears of the changes of others. */
interface Ear {
  readonly onChange: (hear: () => void) => void
  readonly isListening: () => boolean
  /** Begins to listen anew when the connection was lost; does not wait for it, and fails in silence. */
  readonly mend: () => void
  readonly end: () => Promise<void>
}

function createEar(postgres: Postgres, { schema, holder }: Site, onNews: () => void): Ear {
  const hearers: (() => void)[] = []
  let connection: Connection | null = null
  let opening: Promise<void> | null = null
  let isEnded = false
  let isListening = false

  function tellAll(): void {
    onNews()
    for (const hear of hearers) hear()
  }

  async function listen(): Promise<void> {
    isListening = false
    try {
      await connection?.end()
      connection = await postgres.connect({
        onNotice(from) {
          if (from !== holder) tellAll()
        },
      })
      await connection.run(`LISTEN "${channelOf(schema)}"`)
      isListening = true
      // Something may have changed while nobody listened.
      tellAll()
    } catch {
      // Who waits for changes also looks from time to time, and the next lease or presence asks again.
      await connection?.end()
      connection = null
    }
  }

  function mend(): void {
    if (hearers.length === 0 || isEnded || opening !== null || connection?.isOpen()) return
    opening = listen().finally(() => {
      opening = null
    })
  }

  return {
    mend,
    isListening: () => isListening && connection?.isOpen() === true,
    onChange(hear) {
      hearers.push(hear)
      mend()
    },
    async end() {
      isEnded = true
      await opening
      await connection?.end()
    },
  }
}
