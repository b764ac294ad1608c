import type { StoredObject } from '../../domain/core/changes.ts'
import { DEFAULT_SANDBOX } from '../../domain/sandboxes/sandboxes.ts'
import { COLLECTION_NAMES, type CollectionName, getCollectionName } from '../port/collections.ts'
import type { StoreContents } from '../port/store.ts'
import { BEGIN_READ_COMMITTED, type PostgresClient, withDedicatedConnection } from './postgres-connection.ts'
import { deleteExpiredLeases } from './postgres-coordinator.ts'
import { runInTransaction } from './postgres-locks.ts'
import { createSandboxQuery } from './postgres-reader.ts'
import {
  BEGIN_SNAPSHOT,
  deleteMarkedSandbox,
  insertAndLockHead,
  replaceRecords,
  visitRecords,
} from './sandbox-contents.ts'
import type { StoreProcessContext } from './store-process.ts'

/** Creates a sandbox unless it exists, and deletes its expired leases and presences. */
export async function ensureSandboxExists(postgres: PostgresClient, sandbox: string): Promise<void> {
  for (;;) {
    const connection = await postgres.borrow()
    try {
      await connection.exec(BEGIN_READ_COMMITTED)
      const head = await insertAndLockHead(connection, sandbox)
      await deleteExpiredLeases(createSandboxQuery(connection.query, sandbox))
      await connection.exec('COMMIT')
      connection.release()
      if (head?.['is_deleted'] !== true) return
    } catch (error) {
      await connection.rollBack()
      throw error
    }
    // Delete the rest, because another process is still deleting the sandbox or was killed before it finished.
    await withDedicatedConnection(postgres, (dedicated) => deleteMarkedSandbox(dedicated, sandbox))
  }
}

/** Returns a consistent copy of all records of a sandbox; an empty copy when the sandbox was deleted. */
export function captureSandboxContents(postgres: PostgresClient, sandbox: string): Promise<StoreContents> {
  const records = Object.fromEntries(COLLECTION_NAMES.map((name) => [name, []])) as unknown as Record<
    CollectionName,
    StoredObject[]
  >
  const onRecord = (record: StoredObject) => records[getCollectionName(record)].push(record)
  return withDedicatedConnection(postgres, (connection) =>
    runInTransaction(
      connection,
      async () => {
        const sequence = await visitRecords(connection, { sandbox }, onRecord)
        return { records: records as unknown as StoreContents['records'], sequence: sequence ?? 0 }
      },
      BEGIN_SNAPSHOT,
    ),
  )
}

/** Replaces the contents of a sandbox in one transaction. */
export async function replaceSandboxContents(
  postgres: PostgresClient,
  { hub }: StoreProcessContext,
  [sandbox, contents]: readonly [sandbox: string, contents: StoreContents],
): Promise<void> {
  await withDedicatedConnection(postgres, (connection) =>
    runInTransaction(connection, async () => {
      await insertAndLockHead(connection, sandbox)
      await replaceRecords(connection, sandbox, contents)
    }),
  )
  hub.announce(sandbox)
}

/**
 * Deletes a sandbox. First marks it as deleted, so that no process commits to it any more, then deletes its records in
 * many transactions. After a crash between these steps, `listSandboxes` still returns the sandbox.
 */
export async function deleteSandboxRows(
  postgres: PostgresClient,
  { hub }: StoreProcessContext,
  sandbox: string,
): Promise<void> {
  await withDedicatedConnection(postgres, async (connection) => {
    const mark = 'UPDATE head SET is_deleted = true WHERE sandbox = $1 RETURNING 1'
    const marked = await runInTransaction(connection, () => connection.query(mark, [sandbox]))
    if (marked.length > 0) await deleteMarkedSandbox(connection, sandbox)
  })
  hub.announce(sandbox)
}

/**
 * Returns the ids of all sandboxes except the default sandbox. This is the only statement of the stores that covers
 * several sandboxes.
 */
export async function listPostgresSandboxIds({
  query,
}: Pick<PostgresClient, 'query'>): Promise<readonly string[]> {
  const rows = await query('SELECT sandbox FROM head WHERE sandbox <> $1', [DEFAULT_SANDBOX])
  return rows.map(({ sandbox }) => String(sandbox))
}
