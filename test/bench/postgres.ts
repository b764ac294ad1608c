import { execFile } from 'node:child_process'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { webhookEndpoints } from '../../src/api/operations/webhook-endpoints.ts'
import { createClient } from '../../src/client/client.ts'
import { onDatabase, type PostgresServer, startPostgres } from '../support/postgres.ts'
import { CREATE_CUSTOMER } from './create.ts'
import { createCustomers } from './deliveries.ts'
import { type Bench, type Figure, type FigureRow, ratioRow } from './figure.ts'
import { startRole } from './role-process.ts'
import { interleave } from './rounds.ts'
import { type DaemonServer, measure, startDaemonServer } from './servers.ts'

const run = promisify(execFile)
const MOST_DAEMONS = 3
const CONNECTIONS = 48
const WARM_SECONDS = 2
const NUMBERS = 1_000_000
const RECEIVERS = 6
const EVENTS = 600
const QUICK_EVENTS = 200
const MAX_ROUNDS = 3
/** Concurrent connections that insert, as many as in a typical pool. */
const INSERTERS = 8

/** Creates and deliveries per second of one, two and three daemons on one PostgreSQL server, beside its own insert rate. */
export const postgres: Figure = async (bench) => {
  const server = await startPostgres({ isDurable: true })
  try {
    const insert = await openInserts(server)
    const rows: FigureRow[] = []
    for (let count = 1; count <= MOST_DAEMONS; count += 1) {
      rows.push(await besideInserts(bench, server, { count, insert, what: 'creates', work: creates }))
      rows.push(await besideInserts(bench, server, { count, insert, what: 'deliveries', work: deliveries }))
    }
    return rows
  } finally {
    await server.stop()
  }
}

interface PostgresRates {
  readonly count: number
  readonly insert: (seconds: number) => Promise<number>
  readonly what: string
  readonly work: (bench: Bench, daemons: readonly DaemonServer[], round: number) => Promise<number>
}

async function besideInserts(
  bench: Bench,
  server: PostgresServer,
  { count, insert, what, work }: PostgresRates,
): Promise<FigureRow> {
  const name = `${what} of ${count} daemon${count === 1 ? '' : 's'} at one PostgreSQL`
  const pairs = await interleave(Math.min(bench.rounds, MAX_ROUNDS), {
    paycli: async (round) => {
      const daemons = await startDaemons(bench, `${server.url}?schema=${what}_${count}_${round}`, count)
      const rate = await work(bench, daemons, round).finally(() =>
        Promise.all(daemons.map((one) => one.end())),
      )
      bench.note(`${name}: ${Math.round(rate).toLocaleString('en')}/s`)
      return rate
    },
    baseline: async () => {
      const rate = await insert(bench.seconds)
      bench.note(`inserts of pgbench, ${INSERTERS} connections: ${Math.round(rate).toLocaleString('en')}/s`)
      return rate
    },
  })
  return ratioRow(`${name} ÷ inserts of pgbench`, pairs, { unit: '/s', target: null })
}

async function startDaemons(bench: Bench, url: string, count: number): Promise<DaemonServer[]> {
  const daemons: DaemonServer[] = []
  for (let place = 0; place < count; place += 1) {
    const { folder } = await bench.ground.empty()
    daemons.push(await startDaemonServer(bench, { folder, file: url }))
  }
  return daemons
}

async function creates(bench: Bench, daemons: readonly DaemonServer[]): Promise<number> {
  const connections = Math.ceil(CONNECTIONS / daemons.length)
  const all = (seconds: number, from: number) =>
    Promise.all(
      daemons.map((daemon, place) => {
        const start = from + place * NUMBERS
        const numbers = { from: start, to: start + NUMBERS, isRandom: false }
        return measure(daemon, { asked: CREATE_CUSTOMER, connections, numbers }, seconds)
      }),
    )
  await all(WARM_SECONDS, 0)
  const measured = await all(bench.seconds, MOST_DAEMONS * NUMBERS)
  return measured.reduce((sum, { perSecond }) => sum + perSecond, 0)
}

/** Deliveries of the same events to several endpoints: only one daemon at a time sends to an endpoint. */
async function deliveries(bench: Bench, daemons: readonly DaemonServer[]): Promise<number> {
  const [first] = daemons
  if (first === undefined) throw new Error('no daemon')
  const receivers = await startRole('receivers', { count: RECEIVERS })
  const client = createClient({ apiBase: `http://127.0.0.1:${first.port}`, apiKey: first.key })
  for (const port of await receivers.call('ports'))
    await client.call(webhookEndpoints.create, { url: `http://127.0.0.1:${port}/` })
  const events = bench.isQuick ? QUICK_EVENTS : EVENTS
  // All of them are queued behind the first delivery, which has no response yet.
  await receivers.call('hold')
  await createCustomers(client, events)
  const from = await receivers.call('open')
  const wanted = (events - 1) * RECEIVERS
  const until = await receivers.call('until', wanted)
  await receivers.kill()
  return (wanted / (until - from)) * 1000
}

/** Returns a function that measures the insert rate of pgbench in rows per second, one row per transaction. */
async function openInserts(server: PostgresServer): Promise<(seconds: number) => Promise<number>> {
  await onDatabase(server.url, (client) =>
    client.query(
      'CREATE TABLE inserts (id bigserial PRIMARY KEY, email text NOT NULL, record text NOT NULL)',
    ),
  )
  const script = join(await mkdtemp(join(tmpdir(), 'paycli-pgbench-')), 'insert.sql')
  await writeFile(
    script,
    `\\set number random(1, 100000000)\nINSERT INTO inserts (email, record) VALUES (:number || '@example.com', repeat('x', 400));\n`,
  )
  const { hostname, port, username, pathname } = new URL(server.url)
  const place = ['-h', hostname, '-p', port, '-U', username]
  return async (seconds) => {
    const made = run('pgbench', [
      ...place,
      '-n',
      ...['-c', String(INSERTERS), '-j', '2', '-M', 'prepared', '-T', String(Math.ceil(seconds))],
      ...['-f', script, pathname.slice(1)],
    ])
    const { stdout } = await made.catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
      throw new Error('There is no pgbench on the PATH: the packages of PostgreSQL have it, npm has not.')
    })
    const [, perSecond] = /tps = ([\d.]+)/.exec(stdout) ?? []
    if (perSecond === undefined) throw new Error(`pgbench told no rate: ${stdout}`)
    return Number(perSecond)
  }
}
