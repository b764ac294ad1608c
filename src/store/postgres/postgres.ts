import { parseDatabaseUrl } from '../port/database-url.ts'
import type { MeasureTime, Reader, Store } from '../port/store.ts'
import { createGets } from './batched-gets.ts'
import { createTurns } from './commit-queue.ts'
import { DATABASE_MS, Outdated, type Site } from './postgres-batch.ts'
import { type Ask, type Postgres, reachPostgres, startupProblem } from './postgres-connection.ts'
import { createRememberedDue } from './postgres-due.ts'
import { type Layouts, layOut } from './postgres-layout.ts'
import { migrate } from './postgres-migrations.ts'
import { createReader } from './postgres-reader.ts'
import { LAYOUTS } from './postgres-schema.ts'
import { createSharing, forgetTheGone } from './postgres-sharing.ts'

export interface PostgresOptions {
  /** A URL such as `postgres://user:password@host/name`. */
  readonly url: string
  /** Makes an unguessable name for this process. */
  readonly newSuffix: () => string
  /** Measures the clock of the database, by which all processes at it agree on the time; does nothing unless given. */
  readonly measureTime?: MeasureTime
  /** Waits for some milliseconds before a server that gives no more connections is asked again. */
  readonly pause?: (ms: number) => Promise<unknown>
  /** Hears that records are indexed anew, which takes time. */
  readonly onNote?: (message: string) => void
  /** The layouts that this version knows; tests play other versions. */
  readonly layouts?: readonly string[]
}

/**
 * A store that any number of processes share: a PostgreSQL database, in a schema of its own that is made when it is
 * missing. Readers ask on connections of a pool, and see what is committed; transactions take turns.
 */
export async function openPostgresStore({
  url,
  newSuffix,
  measureTime = () => () => {},
  pause,
  onNote = () => {},
  layouts = LAYOUTS,
}: PostgresOptions): Promise<Store> {
  const database = parseDatabaseUrl(url)
  const { schema } = database
  const postgres = await reachPostgres(database, pause)
  const site = { schema, layout: layouts.at(-1) ?? '', holder: newSuffix(), measureTime }
  try {
    await prepare(postgres, site, { schema, layouts, onNote })
  } catch (error) {
    await postgres.end()
    throw startupProblem(error, database)
  }
  return createPostgresStore(postgres, site)
}

async function prepare(postgres: Postgres, site: Site, layouts: Layouts): Promise<void> {
  const connection = await postgres.connect({ isPatient: true })
  try {
    await migrate(connection, site.schema)
    await layOut(connection, layouts)
    await forgetTheGone(connection, site)
    const measured = site.measureTime()
    const [row] = await connection.run(`SELECT ${DATABASE_MS} AS now_ms`)
    measured(Number(row?.['now_ms']))
  } finally {
    await connection.end()
  }
}

function createPostgresStore(postgres: Postgres, site: Site): Store {
  const { schema } = site
  let outdated: Outdated | null = null
  let closing: Promise<void> | null = null

  // It reads nothing any more, and what it has taken goes to the others when its time is over.
  const ask: Ask = async (text, values) => {
    if (outdated !== null) throw outdated
    return postgres.ask(text, values)
  }

  function noteOutdated(error: unknown): never {
    if (error instanceof Outdated) outdated = error
    throw error
  }

  async function newestSequence(): Promise<number> {
    const [head] = await ask(`SELECT sequence::float8 FROM "${schema}".head WHERE id = 1`, [])
    return Number(head?.sequence)
  }

  async function close(): Promise<void> {
    await turns.end()
    await sharing.end()
    await postgres.end()
  }

  const reader = createReader(ask, { schema, newestSequence })
  const { due, forget } = createRememberedDue(reader.due, () => sharing.isListening())
  const sharing = createSharing({ ...postgres, ask }, site, () => forget())
  const get = createGets(ask, schema) as Reader['get']
  const turns = createTurns(postgres, site, forget)

  return {
    ...reader,
    get,
    due,
    sharing: { ...sharing, attend: (seconds) => sharing.attend(seconds).catch(noteOutdated) },
    async transact(work) {
      if (closing) throw new Error('The store is closed: nothing more can be stored.')
      return turns.take(work).catch(noteOutdated)
    },
    close() {
      closing ??= close()
      return closing
    },
  }
}
