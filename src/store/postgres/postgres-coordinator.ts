import { DEFAULT_SANDBOX } from '../../domain/sandboxes/sandboxes.ts'
import type { ProcessCoordinator } from '../port/store.ts'
import type { PostgresClient, RunQuery } from './postgres-connection.ts'
import { createSandboxQuery } from './postgres-reader.ts'
import { DATABASE_NOW_MS_SQL, type StoreProcessContext } from './store-process.ts'

/** The name under which every running process is registered, in the default sandbox. */
export const HEARTBEAT_NAME = '(here)'

/**
 * Coordinates the processes that share a sandbox: leases and presences are rows of tables. All sandboxes share the registration of
 * the process. `end` releases all leases of this process in the sandbox.
 */
export function createCoordinator(
  postgres: Pick<PostgresClient, 'query' | 'connectionShortage'>,
  process: StoreProcessContext,
  sandbox: string,
): ProcessCoordinator & { readonly end: () => Promise<void> } {
  const { name: holder, hub } = process
  const query = createSandboxQuery(postgres.query, sandbox)
  const heartbeats = createHeartbeats(createSandboxQuery(postgres.query, DEFAULT_SANDBOX), process)
  const unsubscribes: (() => void)[] = []
  let hasLeased = false

  return {
    async heartbeat(seconds) {
      hub.resume()
      return heartbeats.register(seconds)
    },
    async acquireLeases(names, seconds, limit = names.length) {
      hub.resume()
      if (names.length === 0 || limit <= 0) return []
      hasLeased = true
      // Renews the leases of this process first, then leases free names.
      const rows = await query(
        `INSERT INTO sandbox_leases AS lease (sandbox, name, holder, until)
         SELECT $1, name, $3, now() + make_interval(secs => $4) FROM (
           SELECT wanted.name FROM unnest($2::text[]) AS wanted (name)
           LEFT JOIN sandbox_leases AS kept ON kept.sandbox = $1 AND kept.name = wanted.name
           WHERE kept.name IS NULL OR kept.holder = $3 OR kept.until < now()
           ORDER BY kept.holder IS NOT DISTINCT FROM $3 DESC, wanted.name LIMIT $5
         ) AS chosen ORDER BY name
         ON CONFLICT (sandbox, name) DO UPDATE SET holder = EXCLUDED.holder, until = EXCLUDED.until
         WHERE lease.holder = EXCLUDED.holder OR lease.until < now() RETURNING name`,
        [names, holder, seconds, limit],
      )
      return rows.map(({ name }) => String(name))
    },
    async releaseLeases(names) {
      // Every statement locks rows in the order of their names, which prevents deadlocks.
      await query(
        `WITH own AS (SELECT name FROM sandbox_leases WHERE sandbox = $1 AND holder = $2 AND name = ANY($3::text[])
                      ORDER BY name FOR UPDATE)
         DELETE FROM sandbox_leases AS lease USING own
         WHERE lease.sandbox = $1 AND lease.name = own.name AND holder = $2`,
        [holder, names],
      )
    },
    async announcePresence(names, seconds) {
      hub.resume()
      if (names.length > 0) await announce(query, holder, [names, seconds])
    },
    async findAnnouncedElsewhere(names) {
      const rows = await query(
        `SELECT DISTINCT name FROM sandbox_presences
         WHERE sandbox = $1 AND name = ANY($2::text[]) AND holder <> $3 AND until > now()`,
        [names, holder],
      )
      return rows.map(({ name }) => String(name))
    },
    async isWritable() {
      const [row] = await postgres.query('SELECT NOT pg_is_in_recovery() AS writable', [])
      return row?.['writable'] === true
    },
    connectionShortage: postgres.connectionShortage,
    onChange(listener) {
      unsubscribes.push(hub.subscribe(sandbox, listener))
      hub.listen()
    },
    async end() {
      for (const unsubscribe of unsubscribes) unsubscribe()
      // Leases that cannot be deleted here expire. Announced presences are left to expire, because the process may be restarting.
      if (hasLeased)
        await query('DELETE FROM sandbox_leases WHERE sandbox = $1 AND holder = $2', [holder]).catch(() => {})
      if (sandbox === DEFAULT_SANDBOX) await heartbeats.end()
    },
  }
}

function createHeartbeats(query: RunQuery, { name, hub, sampleClock }: StoreProcessContext) {
  let processes = 0
  return {
    async register(seconds: number): Promise<number> {
      await announce(query, name, [[HEARTBEAT_NAME], seconds])
      const finishSample = sampleClock()
      const finishCount = hub.startCount()
      const [row] = await query(
        `SELECT count(*)::float8 AS number, ${DATABASE_NOW_MS_SQL} AS now_ms
         FROM sandbox_presences WHERE sandbox = $1 AND name = $2 AND until > now()`,
        [HEARTBEAT_NAME],
      )
      finishSample(Number(row?.now_ms))
      const before = processes
      processes = Number(row?.number)
      // Notify the other processes, because a killed process may have committed changes without a notification.
      if (processes < before) hub.notifyAll()
      finishCount(processes)
      return processes
    },
    end: () => announce(query, name, [[HEARTBEAT_NAME], 0]).catch(() => {}),
  }
}

async function announce(
  query: RunQuery,
  holder: string,
  [names, seconds]: readonly [names: readonly string[], seconds: number],
): Promise<void> {
  await query(
    `INSERT INTO sandbox_presences (sandbox, name, holder, until)
     SELECT $1, name, $3, now() + make_interval(secs => $4) FROM unnest($2::text[]) AS name ORDER BY name
     ON CONFLICT (sandbox, name, holder) DO UPDATE SET until = EXCLUDED.until`,
    [names, holder, seconds],
  )
}

/** Deletes expired leases and presences of a sandbox. */
export async function deleteExpiredLeases(query: RunQuery): Promise<void> {
  for (const [table, key] of [
    ['sandbox_leases', 'name'],
    ['sandbox_presences', 'name, holder'],
  ]) {
    await query(
      `DELETE FROM ${table} WHERE sandbox = $1 AND (${key}) IN (SELECT ${key} FROM ${table}
         WHERE sandbox = $1 AND until < now() ORDER BY name FOR UPDATE SKIP LOCKED)`,
      [],
    )
  }
}
