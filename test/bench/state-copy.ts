import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createIndexes, createRecordsTable, dropIndexes } from '../../src/store/postgres/postgres-schema.ts'
import { dropDatabase, onDatabase, type PostgresServer, startPostgres } from '../support/postgres.ts'
import { ROOT } from '../support/root.ts'
import { type Bench, type Figure, valueRow } from './figure.ts'
import { interleave, mapMeasurements } from './rounds.ts'
import { startDaemonServer } from './servers.ts'
import { startService } from './service-start.ts'

const run = promisify(execFile)
const MS_PER_SECOND = 1000
/** Customers, each with its event. */
const SIZE = 500_000
const QUICK_SIZE = 50_000
/** The schema of the first copy, whose rows the baseline inserts again. */
const FIRST_COPY = 'copy_0'

interface CopyTimes {
  readonly copySeconds: number
  readonly startSeconds: number
  readonly listMs: number
}

/** `paycli state copy` from a file to PostgreSQL, the start of a service on the copy, and its first list. */
export const stateCopy: Figure = async (bench) => {
  const size = bench.isQuick ? QUICK_SIZE : SIZE
  const name = `${(size * 2).toLocaleString('en')} records in PostgreSQL`
  const source = await bench.ground.seeded({ shape: 'snapshot', size })
  const server = await startPostgres({ isDurable: true })
  try {
    const pairs = await interleave(bench.rounds, {
      paycli: (round) => copyAndStart(bench, server, { file: source.file, schema: `copy_${round}` }),
      baseline: (round) => insertAndStart(bench, server, `inserted_${round}`),
    })
    const row = (what: string, key: keyof CopyTimes, held: { unit: string; target: { atMost: number } }) =>
      valueRow(
        what,
        mapMeasurements(pairs, (times) => times[key]),
        held,
      )
    return [
      row(`state copy of ${name}, beside INSERT … SELECT of the same rows`, 'copySeconds', {
        unit: 's',
        target: { atMost: 60 },
      }),
      row(`start with ${name}, beside an empty database`, 'startSeconds', {
        unit: 's',
        target: { atMost: 2 },
      }),
      row(`first list with ${name}, beside an empty database`, 'listMs', {
        unit: 'ms',
        target: { atMost: 50 },
      }),
    ]
  } finally {
    await server.stop()
    await bench.ground.release(source)
  }
}

async function copyAndStart(
  bench: Bench,
  server: PostgresServer,
  { file, schema }: { readonly file: string; readonly schema: string },
): Promise<CopyTimes> {
  const url = `${server.url}?schema=${schema}`
  const home = await bench.ground.empty()
  const copySeconds = await timeSeconds(() =>
    run(process.execPath, [join(ROOT, 'bin', 'run.js'), 'state', 'copy', file, url], {
      env: { ...process.env, PAYCLI_HOME: home.folder },
    }),
  )
  const times = { copySeconds, ...(await measureStart(bench, url)) }
  if (schema !== FIRST_COPY) await dropDatabase(url)
  await bench.ground.release(home)
  bench.note(describe('state copy', times))
  return times
}

/** PostgreSQL itself copies the rows to a table with the same indexes; the service starts on an empty database. */
async function insertAndStart(bench: Bench, server: PostgresServer, schema: string): Promise<CopyTimes> {
  const url = `${server.url}?schema=${schema}`
  const copySeconds = await onDatabase(url, async (client) => {
    await client.query(`CREATE SCHEMA ${schema}; SET search_path = ${schema}; ${createRecordsTable()}`)
    const seconds = await timeSeconds(() =>
      client.query(
        `${dropIndexes()}; INSERT INTO records SELECT * FROM ${FIRST_COPY}.records; ${createIndexes()}`,
      ),
    )
    await client.query(`DROP SCHEMA ${schema} CASCADE`)
    return seconds
  })
  const times = { copySeconds, ...(await measureStart(bench, url)) }
  await dropDatabase(url)
  bench.note(describe('INSERT … SELECT, and an empty database', times))
  return times
}

async function measureStart(bench: Bench, url: string): Promise<Omit<CopyTimes, 'copySeconds'>> {
  const home = await bench.ground.empty()
  const options = { ...home, file: url }
  const startSeconds = (await startService(options)).wallMs / MS_PER_SECOND
  const server = await startDaemonServer(bench, options)
  const get = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${server.port}${path}`, {
      headers: { Authorization: `Bearer ${server.key}` },
    })
    if (!response.ok) throw new Error(`${path} failed: ${await response.text()}`)
    await response.text()
  }
  // Opens the connection. This process also compiles its HTTP client for its first request.
  await get('/healthz')
  const listSeconds = await timeSeconds(() => get('/v1/customers?limit=10'))
  await server.end()
  await bench.ground.release(home)
  return { startSeconds, listMs: listSeconds * MS_PER_SECOND }
}

async function timeSeconds(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now()
  await work()
  return (performance.now() - startedMs) / MS_PER_SECOND
}

function describe(name: string, { copySeconds, startSeconds, listMs }: CopyTimes): string {
  return `${name}: ${copySeconds.toFixed(1)} s, start ${startSeconds.toFixed(2)} s, first list ${listMs.toFixed(0)} ms`
}
