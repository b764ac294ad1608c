import { hash } from 'node:crypto'
import { BEGIN_READ_COMMITTED, type PostgresConnection } from './postgres-connection.ts'

/** Runs `work` in a transaction, and rolls back when it fails. */
export async function runInTransaction<T>(
  connection: PostgresConnection,
  work: () => Promise<T>,
  begin = BEGIN_READ_COMMITTED,
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

/** Runs `work` while this session holds an advisory lock, which also ends with the connection. */
export async function withAdvisoryLock(
  connection: PostgresConnection,
  name: string,
  work: () => Promise<void>,
): Promise<void> {
  const lock = BigInt.asIntN(64, BigInt(`0x${hash('sha256', name, 'hex').slice(0, 16)}`))
  for (;;) {
    const [row] = await connection.exec(`SELECT pg_try_advisory_lock(${lock}) AS "isFree"`)
    if (row?.['isFree'] === true) break
    // Polls, because a waiting statement keeps its snapshot, which delays VACUUM and CREATE INDEX CONCURRENTLY.
    await connection.exec('SELECT pg_sleep(0.1)')
  }
  try {
    await work()
  } finally {
    await connection.exec(`SELECT pg_advisory_unlock(${lock})`).catch(() => {})
  }
}
