import { join } from 'node:path'
import { type Bench, type Figure, valueRow } from './figure.ts'
import { startRole } from './role-process.ts'
import { interleave } from './rounds.ts'

const MONTHS = 12
const AT_ONCE = 64

/**
 * Renewals per second for a year of monthly subscriptions on one test clock, compared with durable creates of a
 * customer in the store. A renewal is one transaction of four objects and six events.
 */
export const renewals: Figure = async (bench) => {
  const subscriptions = bench.isQuick ? 1000 : 10_000
  const pairs = await interleave(bench.rounds, {
    paycli: () => renewalRate(bench, subscriptions),
    baseline: () => createRate(bench),
  })
  const what = `renewals on a clock, ${subscriptions.toLocaleString('en')} subscriptions × ${MONTHS} months ÷ durable creates at the store`
  return [valueRow(what, pairs, { unit: '/s', target: { atLeast: 8000 } })]
}

async function renewalRate(bench: Bench, subscriptions: number): Promise<number> {
  const place = await bench.ground.empty()
  const renewing = await startRole('renewing', place, { flags: bench.daemonFlags })
  await renewing.call('subscribe', subscriptions)
  const seconds = await renewing.call('advance', MONTHS)
  await renewing.call('stop')
  await renewing.gone
  await bench.ground.release(place)
  const rate = (subscriptions * MONTHS) / seconds
  bench.note(`${Math.round(rate).toLocaleString('en')} renewals/s, ${seconds.toFixed(1)} s for the year`)
  return rate
}

async function createRate(bench: Bench): Promise<number> {
  const place = await bench.ground.empty()
  const writer = await startRole('writer', { file: join(place.folder, 'creates.db') })
  const rate = await writer.call('rate', AT_ONCE, bench.seconds)
  await writer.kill()
  await bench.ground.release(place)
  bench.note(`${Math.round(rate).toLocaleString('en')} durable creates/s at the store`)
  return rate
}
