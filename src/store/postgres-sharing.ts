import { channelOf, type Site } from './postgres-batch.ts'
import type { Connection, Postgres } from './postgres-connection.ts'
import type { Sharing } from './store.ts'

/** Sharing that can be ended: what this process had is free again. */
export interface PostgresSharing extends Sharing {
  readonly end: () => Promise<void>
}

/** How the processes at one schema share its work: leases and presences in tables, changes over LISTEN and NOTIFY. */
export function createSharing(postgres: Postgres, { schema, holder }: Site): PostgresSharing {
  const hearers: (() => void)[] = []
  let listening: Promise<Connection | null> | null = null
  let isEnded = false

  async function listen(): Promise<Connection | null> {
    try {
      const connection = await postgres.connect((from) => {
        if (from !== holder) for (const hear of hearers) hear()
      })
      await connection.run(`LISTEN "${channelOf(schema)}"`)
      return connection
    } catch {
      // Who waits for changes also looks from time to time, and asks again with the next lease.
      return null
    }
  }

  async function keepListening(): Promise<void> {
    const connection = await listening
    if (connection?.isOpen() || isEnded) return
    await connection?.end()
    listening = listen()
    await listening
    for (const hear of hearers) hear()
  }

  return {
    async take(names, seconds) {
      if (hearers.length > 0) await keepListening()
      if (names.length === 0) return []
      const rows = await postgres.ask(
        `INSERT INTO "${schema}".leases AS lease (name, holder, until)
         SELECT name, $2, now() + make_interval(secs => $3) FROM unnest($1::text[]) AS name ORDER BY name
         ON CONFLICT (name) DO UPDATE SET holder = EXCLUDED.holder, until = EXCLUDED.until
         WHERE lease.holder = EXCLUDED.holder OR lease.until < now() RETURNING name`,
        [names, holder, seconds],
      )
      return rows.map(({ name }) => String(name))
    },
    async release(names) {
      await postgres.ask(`DELETE FROM "${schema}".leases WHERE holder = $1 AND name = ANY($2::text[])`, [
        holder,
        names,
      ])
    },
    async announce(names, seconds) {
      await postgres.ask(
        `INSERT INTO "${schema}".presences (name, holder, until)
         SELECT name, $2, now() + make_interval(secs => $3) FROM unnest($1::text[]) AS name ORDER BY name
         ON CONFLICT (name, holder) DO UPDATE SET until = EXCLUDED.until`,
        [names, holder, seconds],
      )
    },
    async announcedElsewhere(names) {
      const rows = await postgres.ask(
        `SELECT DISTINCT name FROM "${schema}".presences
         WHERE name = ANY($1::text[]) AND holder <> $2 AND until > now()`,
        [names, holder],
      )
      return rows.map(({ name }) => String(name))
    },
    onChange(hear) {
      hearers.push(hear)
      listening ??= listen()
    },
    async end() {
      isEnded = true
      // What cannot be given back now ends with its time.
      await postgres.ask(`DELETE FROM "${schema}".leases WHERE holder = $1`, [holder]).catch(() => {})
      await postgres.ask(`DELETE FROM "${schema}".presences WHERE holder = $1`, [holder]).catch(() => {})
      await (await listening)?.end()
    },
  }
}
