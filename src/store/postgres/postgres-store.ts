import { parseDatabaseUrl } from '../port/database-url.ts'
import type { SampleClock, Store, StoreReader } from '../port/store.ts'
import { createBatchedGet } from './batched-gets.ts'
import { DATABASE_MS, OutdatedLayoutError, type StoreProcess } from './commit-batch.ts'
import { createCommitQueue } from './commit-queue.ts'
import { createDueCache } from './due-cache.ts'
import { connectPostgres, type PostgresClient, type RunQuery, toStartupError } from './postgres-connection.ts'
import { captureContents } from './postgres-contents.ts'
import { createCoordinator, deleteExpiredRows } from './postgres-coordinator.ts'
import { type LayoutOptions, migrateLayout } from './postgres-layout.ts'
import { migrate } from './postgres-migrations.ts'
import { createReader } from './postgres-reader.ts'
import { LAYOUTS } from './postgres-schema.ts'

export interface PostgresStoreOptions {
  /** A URL such as `postgres://user:password@host/name`. */
  readonly url: string
  /** Generates an unguessable name for this process. */
  readonly newSuffix: () => string
  /** Samples the clock of the database, which all processes share (default: no samples). */
  readonly sampleClock?: SampleClock | undefined
  /** Waits this many milliseconds before another connection attempt when PostgreSQL has none free. */
  readonly pause?: ((ms: number) => Promise<unknown>) | undefined
  /** Called with messages for the log, such as the progress of indexing records again. */
  readonly onNote?: ((message: string) => void) | undefined
  /** The layouts that this version supports; tests simulate other versions with it. */
  readonly layouts?: readonly string[]
}

/**
 * Opens the PostgreSQL store, which several processes can share; creates its schema when missing. Reads use a connection
 * pool and see committed data; transactions run one at a time.
 */
export async function openPostgresStore({
  url,
  newSuffix,
  sampleClock = () => () => {},
  pause,
  onNote = () => {},
  layouts = LAYOUTS,
}: PostgresStoreOptions): Promise<Store> {
  const database = parseDatabaseUrl(url)
  const postgres = await connectPostgres(database, pause)
  const process = { name: newSuffix(), layout: layouts.at(-1) ?? '', sampleClock }
  try {
    await prepareDatabase(postgres, process, { layouts, onNote })
  } catch (error) {
    await postgres.end()
    throw toStartupError(error, database)
  }
  return createPostgresStore(postgres, process)
}

async function prepareDatabase(
  postgres: PostgresClient,
  process: StoreProcess,
  layoutOptions: LayoutOptions,
): Promise<void> {
  const connection = await postgres.connect({ hasNoTimeout: true })
  try {
    await migrate(connection)
    await migrateLayout(connection, layoutOptions)
    await deleteExpiredRows(connection)
    const finishSample = process.sampleClock()
    const [row] = await connection.exec(`SELECT ${DATABASE_MS} AS now_ms`)
    finishSample(Number(row?.['now_ms']))
  } finally {
    await connection.end()
  }
}

function createPostgresStore(postgres: PostgresClient, process: StoreProcess): Store {
  let layoutError: OutdatedLayoutError | null = null
  let closing: Promise<void> | null = null

  // With an outdated layout every query fails, so this process cannot renew its leases and other processes take over.
  const query: RunQuery = async (text, values) => {
    if (layoutError !== null) throw layoutError
    return postgres.query(text, values)
  }

  function rethrow(error: unknown): never {
    if (error instanceof OutdatedLayoutError) layoutError = error
    throw error
  }

  async function newestSequence(): Promise<number> {
    const [head] = await query('SELECT sequence::float8 FROM head WHERE id = 1', [])
    return Number(head?.sequence)
  }

  async function close(): Promise<void> {
    await queue.end()
    await coordinator.end()
    await postgres.end()
  }

  const reader = createReader(query, newestSequence)
  const { listDue, invalidate } = createDueCache(reader.listDue, () => coordinator.isListening())
  const coordinator = createCoordinator({ ...postgres, query }, process, () => invalidate())
  const get = createBatchedGet(query) as StoreReader['get']
  const queue = createCommitQueue(postgres, process, invalidate)

  return {
    ...reader,
    get,
    listDue,
    capture: () => captureContents(postgres),
    async nextDeadline() {
      const [row] = await query('SELECT min(due_at) AS next FROM records WHERE due_queue IS NOT NULL', [])
      return row?.['next'] == null ? null : Number(row['next'])
    },
    coordinator: { ...coordinator, heartbeat: (seconds) => coordinator.heartbeat(seconds).catch(rethrow) },
    async transact(work) {
      if (closing) throw new Error('The store is closed, so nothing can be stored.')
      return queue.transact(work).catch(rethrow)
    },
    close() {
      closing ??= close()
      return closing
    },
  }
}
