import { setTimeout as sleep } from 'node:timers/promises'
import { customers } from '../../src/api/operations/customers.ts'
import { webhookEndpoints } from '../../src/api/operations/webhook-endpoints.ts'
import type { Client } from '../../src/client/client.ts'
import { startPostgres } from '../support/postgres.ts'
import { type Bench, type Figure, valueRow } from './figure.ts'
import { type RoleProcess, startRole } from './role-process.ts'
import type { Roles } from './roles.ts'
import { clientOf, type DaemonServer, startDaemonServer } from './servers.ts'

/** The clock difference between each daemon's machine and the database. */
const SKEWS_SECONDS = [300, -300, 5]
const ENDPOINTS = 3
const SECONDS = 60
const QUICK_SECONDS = 15
const CLIENTS_PER_DAEMON = 2
const PAUSE_MS = 10
const LOOK_MS = 500
/** Events that have not arrived this long after the last arrival count as undelivered. */
const PATIENCE_MS = 20_000

type Ordered = RoleProcess<Awaited<ReturnType<Roles['ordered']>>>

/** Counts out-of-order and undelivered events with three daemons on one PostgreSQL server and clocks minutes apart. */
export const skew: Figure = async (bench) => {
  const server = await startPostgres({ isDurable: true })
  const daemons: DaemonServer[] = []
  try {
    for (const seconds of SKEWS_SECONDS) {
      const { folder } = await bench.ground.empty()
      daemons.push(
        await startDaemonServer(bench, { folder, file: `${server.url}?schema=skew`, skewMs: seconds * 1000 }),
      )
    }
    return await measured(bench, daemons)
  } finally {
    for (const daemon of daemons) await daemon.end()
    await server.stop()
  }
}

async function measured(bench: Bench, daemons: readonly DaemonServer[]) {
  const receivers = await startRole('ordered', { count: ENDPOINTS })
  const clients = daemons.map(clientOf)
  for (const port of await receivers.call('ports'))
    await clients[0]?.call(webhookEndpoints.create, { url: `http://127.0.0.1:${port}/` })
  const seconds = bench.duration ?? (bench.isQuick ? QUICK_SECONDS : SECONDS)
  const created = await createFor(clients, seconds)
  const { events, outOfOrder } = await settled(receivers, created * ENDPOINTS)
  await receivers.kill()
  const undelivered = created * ENDPOINTS - events
  bench.note(
    `${created} events in ${seconds} s: ${outOfOrder} deliveries out of order, ${undelivered} undelivered`,
  )
  const row = (what: string, value: number) =>
    valueRow(
      `${what}, daemons skewed by ${SKEWS_SECONDS.join(', ')} s (beside: all)`,
      counts(value, events),
      {
        unit: '',
        target: { atMost: 0 },
      },
    )
  return [row('deliveries out of order', outOfOrder), row('deliveries missing', undelivered)]
}

const counts = (value: number, all: number) => ({ paycli: [value], baseline: [all] })

/** Creates customers at every daemon for this duration; resolves with their number. */
async function createFor(clients: readonly Client[], seconds: number): Promise<number> {
  const end = performance.now() + seconds * 1000
  const one = async (client: Client) => {
    let created = 0
    for (; performance.now() < end; created += 1) {
      await client.call(customers.create, { email: 'ada@example.com' })
      await sleep(PAUSE_MS)
    }
    return created
  }
  const all = clients.flatMap((client) => Array.from({ length: CLIENTS_PER_DAEMON }, () => one(client)))
  return (await Promise.all(all)).reduce((sum, created) => sum + created, 0)
}

/** Waits until every event has arrived, or no more arrive. */
async function settled(receivers: Ordered, wanted: number) {
  let arrivals = await receivers.call('arrivals')
  for (let changedMs = performance.now(); ; ) {
    if (arrivals.events >= wanted || performance.now() > changedMs + PATIENCE_MS) return arrivals
    await sleep(LOOK_MS)
    const now = await receivers.call('arrivals')
    if (now.events > arrivals.events) changedMs = performance.now()
    arrivals = now
  }
}
