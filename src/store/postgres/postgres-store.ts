import type { Store, StoreReader, Write } from '../port/store.ts'
import { createBatchedGet } from './batched-gets.ts'
import { createCommitQueue } from './commit-queue.ts'
import { createNextDueTimeCache } from './due-cache.ts'
import { createApiKeyCache } from './key-cache.ts'
import type { PostgresClient } from './postgres-connection.ts'
import { createCoordinator } from './postgres-coordinator.ts'
import { createReader, createSandboxQuery, readNextDeadline } from './postgres-reader.ts'
import { captureSandboxContents } from './postgres-sandboxes.ts'
import { createUsageCounter } from './postgres-usage.ts'
import type { StoreProcessContext } from './store-process.ts'

/**
 * Creates the store of a sandbox, which several processes can share. Reads use a connection pool and see committed
 * data; transactions of the sandbox run one at a time. The store holds no dedicated connection.
 */
export function createPostgresStore(
  postgres: PostgresClient,
  process: StoreProcessContext,
  sandbox: string,
): Store {
  const query = createSandboxQuery(postgres.query, sandbox)
  let closing: Promise<void> | null = null
  /**
   * Whether a commit may still be running after its connection was lost. The next commit waits until the running commit
   * has ended.
   */
  let isOutcomeUnknown = false

  function requireOpen(): void {
    if (closing) throw new Error('The store is closed, so nothing can be stored.')
  }

  async function newestSequence(): Promise<number> {
    const [head] = await query('SELECT sequence::float8 FROM head WHERE sandbox = $1', [])
    return Number(head?.sequence ?? 0)
  }

  async function close(): Promise<void> {
    await queue.end()
    unsubscribe()
    await coordinator.end()
  }

  const reader = createReader(query, newestSequence)
  const { listDue, nextDeadline, invalidate } = createNextDueTimeCache(
    { listDue: reader.listDue, nextDeadline: () => readNextDeadline(query) },
    () => process.hub.isListening() && !isOutcomeUnknown,
  )
  const batchedGet = createBatchedGet(query) as StoreReader['get']
  const keys = createApiKeyCache(
    (id) => batchedGet('api_keys', id),
    () => process.hub.isAlone() && !isOutcomeUnknown,
  )
  const get = ((collection, id) =>
    collection === 'api_keys' ? keys.get(id) : batchedGet(collection, id)) as StoreReader['get']
  const size = createUsageCounter(query)
  const unsubscribe = process.hub.subscribe(sandbox, (mayBeDue) => {
    size.markOutdated()
    if (mayBeDue) invalidate()
    keys.clear()
  })
  const coordinator = createCoordinator(postgres, process, sandbox)
  const queue = createCommitQueue(postgres, process, {
    id: sandbox,
    onCommit(changes) {
      size.add(changes.writes)
      if (changes.mayBeDue || isOutcomeUnknown) invalidate()
      if (changes.writes.some(isKeyWrite) || isOutcomeUnknown) keys.clear()
      isOutcomeUnknown = changes.isOutcomeUnknown
      process.noteCommit()
    },
  })

  return {
    ...reader,
    get,
    listDue,
    async capture() {
      requireOpen()
      return captureSandboxContents(postgres, sandbox)
    },
    usage: size.usage,
    measureUsage: size.measure,
    nextDeadline,
    coordinator,
    async transact(work) {
      requireOpen()
      return queue.transact(work)
    },
    close() {
      closing ??= close()
      return closing
    },
  }
}

function isKeyWrite(write: Write): boolean {
  return ('put' in write ? write.put : write.remove).object === 'api_key'
}
