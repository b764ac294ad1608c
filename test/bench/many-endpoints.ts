import { setTimeout as sleep } from 'node:timers/promises'
import { customers } from '../../src/api/operations/customers.ts'
import { webhookEndpoints } from '../../src/api/operations/webhook-endpoints.ts'
import { startChild } from './child.ts'
import { type Receivers, withDaemon } from './deliveries.ts'
import { type Bench, type Figure, type Row, valueRow } from './figure.ts'
import { machineMs } from './machine-time.ts'
import { interleave, median } from './rounds.ts'

const ENDPOINTS = 100
const HANGING = 10
const CREATES = 40
const PAUSE_MS = 150

/** Deliveries to as many endpoints as there may be while a tenth of them hangs. */
export const manyEndpoints: Figure = async (bench) => {
  const receivers = await startChild('receivers', { count: 1 })
  const row = await delayRow(bench, receivers)
  await receivers.kill()
  return [row]
}

/** The delay of deliveries to many endpoints at worst while a tenth of them hangs, beside the same while none does. */
async function delayRow(bench: Bench, receivers: Receivers): Promise<Row> {
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

/** Milliseconds from the answer to a create until the last endpoint that answers has its event: the most of all creates. */
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
      // Each delivery of an event replaces the arrival before it, so this is the last one.
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
