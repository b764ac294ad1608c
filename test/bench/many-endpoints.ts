import { setTimeout as sleep } from 'node:timers/promises'
import { customers } from '../../src/api/operations/customers.ts'
import { webhookEndpoints } from '../../src/api/operations/webhook-endpoints.ts'
import { type Receivers, withDaemon } from './deliveries.ts'
import { type Bench, type Figure, type FigureRow, valueRow } from './figure.ts'
import { machineMs } from './machine-time.ts'
import { startRole } from './role-process.ts'
import { interleave, median } from './rounds.ts'

const ENDPOINTS = 100
const HANGING = 10
const CREATES = 40
const PAUSE_MS = 150

/** Deliveries to the maximum number of endpoints, of which a tenth hangs. */
export const manyEndpoints: Figure = async (bench) => {
  const receivers = await startRole('receivers', { count: 1 })
  const row = await delayRow(bench, receivers)
  await receivers.kill()
  return [row]
}

/** The worst delay of deliveries to many endpoints, of which a tenth hangs, beside the delay when none hangs. */
async function delayRow(bench: Bench, receivers: Receivers): Promise<FigureRow> {
  const pairs = await interleave(bench.isQuick ? 1 : 3, {
    paycli: () => worstDelay(bench, receivers, HANGING),
    baseline: () => worstDelay(bench, receivers, 0),
  })
  return valueRow(
    `from the answer to the last of ${ENDPOINTS - HANGING} endpoints beside ${HANGING} that hang, at worst (beside: none hangs)`,
    pairs,
    { unit: 'ms', target: { atMost: 100 } },
  )
}

/** Returns the worst time from the response to a create until the last responsive endpoint has its event, in milliseconds. */
function worstDelay(bench: Bench, receivers: Receivers, hanging: number): Promise<number> {
  return withDaemon(bench, async (client) => {
    const answering = ENDPOINTS - HANGING
    const [port] = await receivers.call('ports')
    const silent = await receivers.call('silentPort')
    const create = (url: string) => client.call(webhookEndpoints.create, { url })
    for (let at = 0; at < hanging; at += 1) await create(`http://127.0.0.1:${silent}/${at}`)
    for (let at = 0; at < answering; at += 1) await create(`http://127.0.0.1:${port}/timed`)
    const delays: number[] = []
    for (let made = 0; made < CREATES; made += 1) {
      await receivers.call('reset')
      const { id } = await client.call(customers.create, { email: 'ada@example.com' })
      const answered = machineMs()
      await receivers.call('until', answering)
      // Each arrival of an event replaces the previous one, so this is the last.
      const arrivals = await receivers.call('arrivals')
      delays.push((arrivals[id] ?? Number.POSITIVE_INFINITY) - answered)
      await sleep(PAUSE_MS)
    }
    const worst = Math.max(...delays)
    bench.note(
      `${answering} endpoints beside ${hanging} that hang: last delivery p50 ${Math.round(median(delays))} ms, worst ${Math.round(worst)} ms`,
    )
    return worst
  })
}
