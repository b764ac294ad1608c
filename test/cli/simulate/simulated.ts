import { events } from '../../../src/api/operations/events.ts'
import { listObjects } from '../../../src/cli/request/paginate.ts'
import { createRequestKeys } from '../../../src/cli/simulate/continuation.ts'
import { POPULATION_PRESETS, type Population } from '../../../src/cli/simulate/population.ts'
import { runSimulation, type SimulationOptions } from '../../../src/cli/simulate/runner.ts'
import { readSimulationTotals } from '../../../src/cli/simulate/totals.ts'
import type { Client } from '../../../src/client/client.ts'
import type { Event } from '../../../src/domain/events/events.ts'

/** The preset with more declines, changes, refunds and disputes, so that few customers have all of them. */
export const BUSY: Population = {
  ...POPULATION_PRESETS.saas,
  rates: {
    ...{ late_signup: 0.3, coupon: 0.2, decline_retry: 0.15, decline_new_card: 0.1, decline_exhausted: 0.1 },
    ...{ upgrade: 0.3, downgrade: 0.2, pause: 0.3, partial_refund: 0.25, full_refund: 0.1 },
    ...{ cancel_now: 0.1, cancel_at_period_end: 0.1, dispute: 0.15, duplicate_delivery: 0.2 },
  },
}

/** Runs a small simulation without webhooks. */
export async function simulate(client: Client, options: Partial<SimulationOptions> = {}) {
  const months = options.months ?? 4
  const simulation = await runSimulation(client, {
    ...{ population: BUSY, seed: '7', customers: 40, months, endpoint: null },
    ...{
      faults: [],
      isContinued: false,
      keys: createRequestKeys(),
      signal: new AbortController().signal,
      onTime() {},
    },
    ...options,
  })
  return { ...simulation, readTotals: () => readSimulationTotals(client, simulation) }
}

/** Returns all events, oldest first. */
export async function readEvents(client: Client): Promise<readonly Event[]> {
  return (await listObjects(client, events.list, {}, Number.MAX_SAFE_INTEGER)).found.toReversed()
}

const ID = /\b[a-z_]+_[0-9A-Za-z]{24}\b/g
const VARIABLE_TEXT = /"fingerprint":"\w+"|127\.0\.0\.1:\d+/g

/** Returns one line per event, in which ids are replaced by numbers in the order of their appearance. */
export function toComparableLog(log: readonly Event[]): readonly string[] {
  const numbers = new Map<string, number>()
  const numberOf = (id: string) => {
    if (!numbers.has(id)) numbers.set(id, numbers.size)
    return `#${numbers.get(id)}`
  }
  return log.map(({ type, created, data, test_clock }) => {
    const text = JSON.stringify([type, data]).replace(VARIABLE_TEXT, '').replace(ID, numberOf)
    // Coupons have no clock: their times are in real time.
    return test_clock === null ? text.replace(/"created":\d+/g, '') : `${created} ${text}`
  })
}
