import { type PostgresServer, startPostgres } from '../support/postgres.ts'
import { queueDeliveries } from './deliveries.ts'
import { type Bench, type Figure, type FigureRow, ratioRow } from './figure.ts'
import { type MeasurePgbench, openPgbench } from './pgbench.ts'
import { createRows, startDaemons } from './postgres-creates.ts'
import { startRole } from './role-process.ts'
import { interleave } from './rounds.ts'
import { clientOf, type DaemonServer } from './servers.ts'

const MOST_DAEMONS = 3
const RECEIVERS = 6
const EVENTS = 600
const QUICK_EVENTS = 200
/** Concurrent connections of pgbench, as many as in a typical pool. */
const INSERTERS = 8

/** Creates and deliveries per second of daemons on one PostgreSQL server, compared with pgbench and with each other. */
export const postgres: Figure = async (bench) => {
  const server = await startPostgres({ isDurable: true })
  try {
    const pgbench = await openPgbench(server)
    const rows = await createRows(bench, server, pgbench)
    for (let count = 1; count <= MOST_DAEMONS; count += 1)
      rows.push(await deliveryRow(bench, server, { count, pgbench }))
    return rows
  } finally {
    await server.stop()
  }
}

interface DeliveryRates {
  /** Number of daemons. */
  readonly count: number
  readonly pgbench: MeasurePgbench
}

async function deliveryRow(
  bench: Bench,
  server: PostgresServer,
  { count, pgbench }: DeliveryRates,
): Promise<FigureRow> {
  const name = `deliveries of ${count} daemon${count === 1 ? '' : 's'} at one PostgreSQL`
  const pairs = await interleave(bench.rounds, {
    paycli: async (round) => {
      const daemons = await startDaemons(bench, `${server.url}?schema=deliveries_${count}_${round}`, count)
      const rate = await deliveries(bench, daemons).finally(() =>
        Promise.all(daemons.map((one) => one.end())),
      )
      bench.note(`${name}: ${Math.round(rate).toLocaleString('en')}/s`)
      return rate
    },
    baseline: async () => {
      const rate = await pgbench('insert', INSERTERS, bench.seconds)
      bench.note(`inserts of pgbench, ${INSERTERS} connections: ${Math.round(rate).toLocaleString('en')}/s`)
      return rate
    },
  })
  return ratioRow(`${name} ÷ inserts of pgbench`, pairs, { unit: '/s', target: null })
}

/** Deliveries of the same events to several endpoints: only one daemon at a time sends to an endpoint. */
async function deliveries(bench: Bench, daemons: readonly DaemonServer[]): Promise<number> {
  const [first] = daemons
  if (first === undefined) throw new Error('no daemon')
  const receivers = await startRole('receivers', { count: RECEIVERS })
  const events = bench.isQuick ? QUICK_EVENTS : EVENTS
  await queueDeliveries(clientOf(first), receivers, { ports: await receivers.call('ports'), events })
  const from = await receivers.call('open')
  const wanted = (events - 1) * RECEIVERS
  const until = await receivers.call('until', wanted)
  await receivers.kill()
  return (wanted / (until - from)) * 1000
}
