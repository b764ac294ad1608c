import type { ProcessCoordinator } from '../port/store.ts'
import { DATABASE_MS, notifyChannelOf, requireLayout, type StoreProcess } from './commit-batch.ts'
import type { PostgresClient, PostgresConnection } from './postgres-connection.ts'

/** The name under which every running process is registered. */
export const HEARTBEAT_NAME = '(here)'

export interface PostgresCoordinator extends ProcessCoordinator {
  /** Returns whether every change by another process causes a notification; false before the first `onChange`. */
  readonly isListening: () => boolean
  /** Releases all leases and the registration of this process, and closes the connection. */
  readonly end: () => Promise<void>
}

/**
 * Coordinates the processes that share a schema: leases and presences are rows of tables, and changes are announced with
 * NOTIFY. `onNotification` is called before the listeners of `onChange`.
 */
export function createCoordinator(
  postgres: PostgresClient,
  process: StoreProcess,
  onNotification: () => void,
): PostgresCoordinator {
  const listener = createChangeListener(postgres, process, onNotification)

  async function announcePresence(names: readonly string[], seconds: number): Promise<void> {
    listener.reconnect()
    if (names.length === 0) return
    await postgres.query(
      `INSERT INTO presences (name, holder, until)
       SELECT name, $2, now() + make_interval(secs => $3) FROM unnest($1::text[]) AS name ORDER BY name
       ON CONFLICT (name, holder) DO UPDATE SET until = EXCLUDED.until`,
      [names, process.name, seconds],
    )
  }

  return {
    async heartbeat(seconds) {
      await announcePresence([HEARTBEAT_NAME], seconds)
      const finishSample = process.sampleClock()
      const [row] = await postgres.query(
        `SELECT count(*)::float8 AS number, ${DATABASE_MS} AS now_ms,
           (SELECT layout FROM head WHERE id = 1) AS layout
         FROM presences WHERE name = $1 AND until > now()`,
        [HEARTBEAT_NAME],
      )
      finishSample(Number(row?.now_ms))
      // A process that only reads would otherwise not notice a new layout.
      requireLayout(row, process.layout)
      return Number(row?.number)
    },
    async acquireLeases(names, seconds, limit = names.length) {
      listener.reconnect()
      if (names.length === 0 || limit <= 0) return []
      // Renews own leases first, then leases free names.
      const rows = await postgres.query(
        `INSERT INTO leases AS lease (name, holder, until)
         SELECT name, $2, now() + make_interval(secs => $3) FROM (
           SELECT wanted.name FROM unnest($1::text[]) AS wanted (name)
           LEFT JOIN leases AS kept ON kept.name = wanted.name
           WHERE kept.name IS NULL OR kept.holder = $2 OR kept.until < now()
           ORDER BY kept.holder IS NOT DISTINCT FROM $2 DESC, wanted.name LIMIT $4
         ) AS chosen ORDER BY name
         ON CONFLICT (name) DO UPDATE SET holder = EXCLUDED.holder, until = EXCLUDED.until
         WHERE lease.holder = EXCLUDED.holder OR lease.until < now() RETURNING name`,
        [names, process.name, seconds, limit],
      )
      return rows.map(({ name }) => String(name))
    },
    async releaseLeases(names) {
      // Every statement locks rows in the order of their names, which prevents deadlocks.
      await postgres.query(
        `WITH own AS (SELECT name FROM leases WHERE holder = $1 AND name = ANY($2::text[])
                      ORDER BY name FOR UPDATE)
         DELETE FROM leases USING own WHERE leases.name = own.name AND holder = $1`,
        [process.name, names],
      )
    },
    announcePresence,
    async findAnnouncedElsewhere(names) {
      const rows = await postgres.query(
        `SELECT DISTINCT name FROM presences
         WHERE name = ANY($1::text[]) AND holder <> $2 AND until > now()`,
        [names, process.name],
      )
      return rows.map(({ name }) => String(name))
    },
    async isWritable() {
      const [row] = await postgres.query('SELECT NOT pg_is_in_recovery() AS writable', [])
      return row?.['writable'] === true
    },
    connectionShortage: postgres.connectionShortage,
    onChange: listener.onChange,
    isListening: listener.isListening,
    async end() {
      // Leases that cannot be deleted here expire. Announced presences are left to expire, because the process may be restarting.
      await postgres.query(`DELETE FROM leases WHERE holder = $1`, [process.name]).catch(() => {})
      await announcePresence([HEARTBEAT_NAME], 0).catch(() => {})
      await listener.end()
    },
  }
}

/** Deletes expired leases and presences. */
export async function deleteExpiredRows(connection: PostgresConnection): Promise<void> {
  await connection.exec(
    `DELETE FROM leases WHERE name IN
       (SELECT name FROM leases WHERE until < now() ORDER BY name FOR UPDATE SKIP LOCKED);
     DELETE FROM presences WHERE (name, holder) IN
       (SELECT name, holder FROM presences WHERE until < now() ORDER BY name FOR UPDATE SKIP LOCKED)`,
  )
}

/** Listens for changes by other processes on a dedicated connection. */
function createChangeListener(postgres: PostgresClient, { name }: StoreProcess, onNotification: () => void) {
  const callbacks: (() => void)[] = []
  let connection: PostgresConnection | null = null
  let opening: Promise<void> | null = null
  let isEnded = false
  let isListening = false

  function notifyAll(): void {
    onNotification()
    for (const callback of callbacks) callback()
  }

  async function listen(): Promise<void> {
    isListening = false
    try {
      await connection?.end()
      connection = await postgres.connect({
        onNotification(sender) {
          if (sender !== name) notifyAll()
        },
      })
      await connection.exec(`LISTEN "${notifyChannelOf(postgres.schema)}"`)
      isListening = true
      // Changes before LISTEN caused no notification.
      notifyAll()
    } catch {
      // Callers also poll, and the next lease or presence reconnects.
      await connection?.end()
      connection = null
    }
  }

  /** Reconnects in the background when the connection was lost; ignores errors. */
  function reconnect(): void {
    if (callbacks.length === 0 || isEnded || opening !== null || connection?.isOpen()) return
    opening = listen().finally(() => {
      opening = null
    })
  }

  return {
    reconnect,
    isListening: () => isListening && connection?.isOpen() === true,
    onChange(callback: () => void): void {
      callbacks.push(callback)
      reconnect()
    },
    async end(): Promise<void> {
      isEnded = true
      await opening
      await connection?.end()
    },
  }
}
