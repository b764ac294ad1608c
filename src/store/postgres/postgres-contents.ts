import type { Stored } from '../../domain/changes.ts'
import { StartupProblem } from '../../domain/startup-problem.ts'
import { Records } from '../memory/records.ts'
import { COLLECTION_NAMES, type Collection } from '../port/collections.ts'
import { type DatabaseUrl, parseDatabaseUrl, withoutSecrets } from '../port/database-url.ts'
import { channelOf } from './postgres-batch.ts'
import { type Connection, reachPostgres, startupProblem } from './postgres-connection.ts'
import { layOut, requireKnownLayout } from './postgres-layout.ts'
import { within } from './postgres-locks.ts'
import { migrate, requireKnownVersion } from './postgres-migrations.ts'
import { LAYOUTS } from './postgres-schema.ts'
import { ATTENDANCE } from './postgres-sharing.ts'
import { writeStatements } from './postgres-writes.ts'

const RECORDS_PER_STEP = 1000
/** Begins a transaction that reads everything as of its first statement. */
const ONE_MOMENT = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'
/** No process has this name, so all of them hear of the change. */
const HOLDER = 'contents'

/** What reading or writing everything tells on the way, in records done and in all. */
export type OnProgress = (done: number, total: number) => void

/** Reads all that a PostgreSQL database holds, as it is at one moment; it may be in use. */
export function loadPostgres(url: string, onProgress: OnProgress = () => {}): Promise<Records> {
  const database = parseDatabaseUrl(url)
  return connected(database, async (connection) => {
    await requireTables(connection, database)
    await requireKnownVersion(connection, database.schema)
    await requireKnownLayout(connection, { schema: database.schema, layouts: LAYOUTS })
    return within(connection, () => readAll(connection, database.schema, onProgress), ONE_MOMENT)
  })
}

/**
 * Puts these records into a PostgreSQL database in one transaction, in place of all that it holds; refuses one that
 * holds something already, or, where that `isReplaced`, one that a service uses.
 */
export function writePostgres(
  url: string,
  records: Records,
  { isReplaced, onProgress = () => {} }: { readonly isReplaced: boolean; readonly onProgress?: OnProgress },
): Promise<void> {
  const database = parseDatabaseUrl(url)
  const { schema } = database
  return connected(database, async (connection) => {
    await migrate(connection, schema)
    await layOut(connection, { schema, layouts: LAYOUTS })
    await within(connection, async () => {
      await connection.run(`SELECT sequence FROM "${schema}".head WHERE id = 1 FOR UPDATE`)
      if (isReplaced) await requireUnused(connection, database)
      else await requireEmpty(connection, database)
      await connection.run(`DELETE FROM "${schema}".records`)
      const place = await writeAll(connection, { schema, records, onProgress })
      await connection.run(
        `UPDATE "${schema}".head SET sequence = ${records.sequence}, told = ${records.told}, place = ${place} WHERE id = 1;
         SELECT pg_notify('${channelOf(schema)}', '${HOLDER}')`,
      )
    })
  })
}

async function connected<T>(database: DatabaseUrl, work: (connection: Connection) => Promise<T>): Promise<T> {
  const postgres = await reachPostgres(database)
  try {
    // A large database takes its time.
    const connection = await postgres.connect({ isPatient: true })
    return await work(connection).finally(connection.end)
  } catch (error) {
    throw startupProblem(error, database)
  } finally {
    await postgres.end()
  }
}

async function readAll(connection: Connection, schema: string, onProgress: OnProgress): Promise<Records> {
  const [head] = await connection.run(`SELECT sequence::float8 FROM "${schema}".head`)
  const [counted] = await connection.run(`SELECT count(*)::float8 AS number FROM "${schema}".records`)
  const records = new Records()
  let done = 0
  for (const collection of COLLECTION_NAMES) {
    for await (const some of steps(connection, schema, collection)) {
      for (const record of some) records.put(record)
      done += some.length
      onProgress(done, Number(counted?.number))
    }
  }
  records.resumeSequence(Number(head?.sequence))
  return records
}

async function* steps(
  connection: Connection,
  schema: string,
  collection: Collection,
): AsyncGenerator<readonly Stored[]> {
  let place = '0'
  for (;;) {
    const rows = await connection.ask(
      `SELECT record, place::text AS at FROM "${schema}".records
       WHERE collection = $1 AND place > $2::bigint ORDER BY place LIMIT $3`,
      [collection, place, RECORDS_PER_STEP],
    )
    yield rows.map(({ record }) => record as Stored)
    const last = rows.at(-1)
    if (last === undefined) return
    place = String(last.at)
  }
}

/** What is written, and where. */
interface Writing {
  readonly schema: string
  readonly records: Records
  readonly onProgress: OnProgress
}

async function writeAll(connection: Connection, { schema, records, onProgress }: Writing): Promise<number> {
  const total = COLLECTION_NAMES.reduce((sum, name) => sum + records.count(name), 0)
  let place = 0
  const nextPlace = () => {
    place += 1
    return place
  }
  for (const collection of COLLECTION_NAMES) {
    for (const some of inSteps(records.all(collection))) {
      const statements = writeStatements(
        schema,
        some.map((put) => ({ put })),
        nextPlace,
      )
      await Promise.all(statements.map(({ text, values }) => connection.ask(text, values)))
      onProgress(place, total)
    }
  }
  return place
}

function* inSteps(records: Iterable<Stored>): Generator<readonly Stored[]> {
  let some: Stored[] = []
  for (const record of records) {
    some.push(record)
    if (some.length < RECORDS_PER_STEP) continue
    yield some
    some = []
  }
  if (some.length > 0) yield some
}

async function requireTables(connection: Connection, database: DatabaseUrl): Promise<void> {
  const [row] = await connection.ask('SELECT to_regclass($1) IS NOT NULL AS "isThere"', [
    `"${database.schema}".head`,
  ])
  if (row?.isThere === true) return
  throw new StartupProblem(
    'database_missing',
    `${withoutSecrets(database)} holds nothing of paycli. Name another with --db, or its schema with ?schema=.`,
  )
}

// A service holds keys and secrets of what it was started with.
async function requireUnused(connection: Connection, database: DatabaseUrl): Promise<void> {
  const [row] = await connection.run(
    `SELECT count(*)::float8 AS number FROM "${database.schema}".presences
     WHERE name = '${ATTENDANCE}' AND until > now()`,
  )
  if (row?.number === 0) return
  throw new StartupProblem(
    'database_locked',
    `${withoutSecrets(database)} is in use by ${row?.number} paycli, and nothing was stored. Stop them with paycli stop (or ^C), which takes up to ten seconds to be seen, and start them again afterwards.`,
  )
}

async function requireEmpty(connection: Connection, database: DatabaseUrl): Promise<void> {
  const [row] = await connection.run(
    `SELECT count(*)::float8 AS number FROM (SELECT 1 FROM "${database.schema}".records LIMIT 1) AS first_one`,
  )
  if (row?.number === 0) return
  throw new StartupProblem(
    'target_exists',
    `${withoutSecrets(database)} holds something already, and nothing was copied. Name an empty database, or another schema with ?schema=staging.`,
  )
}
