import { hash } from 'node:crypto'
import { BEGIN, type Connection, isLockTimeout } from './postgres-connection.ts'

/** How long a change of a table, behind which every statement queues, waits for long transactions. */
const TABLE_LOCK_MS = 500

/** Runs `work` in a transaction, which is rolled back when it fails. */
export async function within<T>(connection: Connection, work: () => Promise<T>, begin = BEGIN): Promise<T> {
  await connection.run(begin)
  try {
    const done = await work()
    await connection.run('COMMIT')
    return done
  } catch (error) {
    await connection.run('ROLLBACK').catch(() => {})
    throw error
  }
}

/** Runs `work` in a transaction once no other transaction holds the tables that it changes. */
export async function whenFree(connection: Connection, work: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      return await within(connection, async () => {
        await connection.run(`SET LOCAL lock_timeout = ${TABLE_LOCK_MS}`)
        await work()
      })
    } catch (error) {
      if (!isLockTimeout(error)) throw error
      await connection.run('SELECT pg_sleep(1)')
    }
  }
}

/** Runs `work` while this session holds the advisory lock of this name, which ends with the connection at the latest. */
export async function withAdvisoryLock(
  connection: Connection,
  name: string,
  work: () => Promise<void>,
): Promise<void> {
  // A statement that waits for the lock keeps its snapshot, and CREATE INDEX CONCURRENTLY waits for all snapshots: deadlock.
  while (!(await tryAdvisoryLock(connection, name, work))) await connection.run('SELECT pg_sleep(0.1)')
}

/** Runs `work` under an advisory lock unless another session holds it; returns whether it ran. */
export async function tryAdvisoryLock(
  connection: Connection,
  name: string,
  work: () => Promise<void>,
): Promise<boolean> {
  const lock = advisoryLock(name)
  const [row] = await connection.run(`SELECT pg_try_advisory_lock(${lock}) AS "isFree"`)
  if (row?.['isFree'] !== true) return false
  try {
    await work()
  } finally {
    await connection.run(`SELECT pg_advisory_unlock(${lock})`).catch(() => {})
  }
  return true
}

function advisoryLock(name: string): bigint {
  return BigInt.asIntN(64, BigInt(`0x${hash('sha256', name, 'hex').slice(0, 16)}`))
}
