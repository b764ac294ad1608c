import { DEFAULT_SANDBOX } from '../../domain/sandboxes/sandboxes.ts'
import type { Database } from '../port/database.ts'
import { parseDatabaseUrl } from '../port/database-url.ts'
import type { StartClockSample } from '../port/store.ts'
import { createChangeHub } from './change-hub.ts'
import { openPostgresClient, type PostgresClient, withDedicatedConnection } from './postgres-connection.ts'
import { toStartupError } from './postgres-errors.ts'
import { createSandboxQuery, readNextDeadline } from './postgres-reader.ts'
import {
  deleteSandboxRows,
  ensureSandboxExists,
  listPostgresSandboxIds,
  replaceSandboxContents,
} from './postgres-sandboxes.ts'
import { createPostgresStore } from './postgres-store.ts'
import { ensureTables } from './postgres-tables.ts'
import { DATABASE_NOW_MS_SQL, type StoreProcessContext } from './store-process.ts'
import { analyzeNewRecords, createFirstAnalysisTrigger } from './table-statistics.ts'

export interface PostgresDatabaseOptions {
  /** A URL such as `postgres://user:password@host/name`. */
  readonly url: string
  /** Generates an unguessable name for this process. */
  readonly newSuffix: () => string
  /** Samples the clock of the database, which all processes share (default: no samples). */
  readonly sampleClock?: StartClockSample | undefined
  /** Returns milliseconds of a monotonic clock. */
  readonly monotonicMs: () => number
  /** Waits `ms` milliseconds before another connection attempt when PostgreSQL has no free connection. */
  readonly pause?: ((ms: number) => Promise<unknown>) | undefined
}

/**
 * Opens a PostgreSQL database, which several processes can share; creates its schema when missing. The stores of all
 * sandboxes share a connection pool for reads, a connection pool for commits, and one connection for notifications.
 */
export async function openPostgresDatabase({
  url,
  newSuffix,
  sampleClock = () => () => {},
  monotonicMs,
  pause,
}: PostgresDatabaseOptions): Promise<Database> {
  const address = parseDatabaseUrl(url)
  const postgres = await openPostgresClient(address, pause)
  const name = newSuffix()
  const hub = createChangeHub(postgres, { name, monotonicMs })
  const process = { name, sampleClock, hub, noteCommit: createFirstAnalysisTrigger(postgres.query) }
  try {
    await prepareDatabase(postgres, process)
    await ensureSandboxExists(postgres, DEFAULT_SANDBOX)
    await analyzeNewRecords(postgres.query)
  } catch (error) {
    await postgres.end()
    throw toStartupError(error, address)
  }
  return createDatabase(postgres, process)
}

function createDatabase(postgres: PostgresClient, process: StoreProcessContext): Database {
  const store = createPostgresStore(postgres, process, DEFAULT_SANDBOX)
  let closing: Promise<void> | null = null

  async function closeAll(): Promise<void> {
    await store.close()
    await process.hub.end()
    await postgres.end()
  }

  function close(): Promise<void> {
    closing ??= closeAll()
    return closing
  }

  return {
    defaultStore: { ...store, close },
    // Several processes share the database, and a sandbox in memory would exist in only one process.
    storages: ['durable'],
    async openSandbox({ id }) {
      await ensureSandboxExists(postgres, id)
      return createPostgresStore(postgres, process, id)
    },
    writeSandbox: ({ id }, contents) => replaceSandboxContents(postgres, process, [id, contents]),
    deleteSandbox: ({ id }) => deleteSandboxRows(postgres, process, id),
    async listSandboxes() {
      return (await listPostgresSandboxIds(postgres)).map((id) => ({ id, storage: 'durable' as const }))
    },
    peers: {
      onSandboxChange(listener) {
        process.hub.watch(listener)
        process.hub.listen()
      },
      nextDeadlineOf: (id) => readNextDeadline(createSandboxQuery(postgres.query, id)),
    },
    close,
  }
}

async function prepareDatabase(postgres: PostgresClient, process: StoreProcessContext): Promise<void> {
  await withDedicatedConnection(postgres, async (connection) => {
    await ensureTables(connection)
    const finishSample = process.sampleClock()
    const [row] = await connection.exec(`SELECT ${DATABASE_NOW_MS_SQL} AS now_ms`)
    finishSample(Number(row?.['now_ms']))
  })
}
