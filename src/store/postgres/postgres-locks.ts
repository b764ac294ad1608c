import { hash } from 'node:crypto'
import { BEGIN, type PostgresConnection } from './postgres-connection.ts'
import { isLockTimeout } from './postgres-errors.ts'

/** Maximum wait for a table lock, because all other statements queue behind it. */
const TABLE_LOCK_MS = 500

/** Runs `work` in a transaction, and rolls back when it fails. */
export async function inTransaction<T>(
  connection: PostgresConnection,
  work: () => Promise<T>,
  begin = BEGIN,
): Promise<T> {
  await connection.exec(begin)
  try {
    const result = await work()
    await connection.exec('COMMIT')
    return result
  } catch (error) {
    await connection.exec('ROLLBACK').catch(() => {})
    throw error
  }
}

/** Runs `work` in a transaction; retries until it gets the table locks that it needs. */
export async function retryUntilUnlocked(
  connection: PostgresConnection,
  work: () => Promise<unknown>,
): Promise<void> {
  for (;;) {
    try {
      return await inTransaction(connection, async () => {
        await connection.exec(`SET LOCAL lock_timeout = ${TABLE_LOCK_MS}`)
        await work()
      })
    } catch (error) {
      if (!isLockTimeout(error)) throw error
      await connection.exec('SELECT pg_sleep(1)')
    }
  }
}

/** Runs `work` while this session holds an advisory lock, which also ends with the connection. */
export async function withAdvisoryLock(
  connection: PostgresConnection,
  name: string,
  work: () => Promise<void>,
): Promise<void> {
  // Polls, because a waiting statement keeps its snapshot, and CREATE INDEX CONCURRENTLY waits for all snapshots.
  while (!(await tryAdvisoryLock(connection, name, work))) await connection.exec('SELECT pg_sleep(0.1)')
}

/** Runs `work` under an advisory lock unless another session holds it; returns whether it ran. */
export async function tryAdvisoryLock(
  connection: PostgresConnection,
  name: string,
  work: () => Promise<void>,
): Promise<boolean> {
  const lock = advisoryLock(name)
  const [row] = await connection.exec(`SELECT pg_try_advisory_lock(${lock}) AS "isFree"`)
  if (row?.['isFree'] !== true) return false
  try {
    await work()
  } finally {
    await connection.exec(`SELECT pg_advisory_unlock(${lock})`).catch(() => {})
  }
  return true
}

function advisoryLock(name: string): bigint {
  return BigInt.asIntN(64, BigInt(`0x${hash('sha256', name, 'hex').slice(0, 16)}`))
}
