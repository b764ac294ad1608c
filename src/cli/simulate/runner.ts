import { checkoutSessions } from '../../api/operations/checkout-sessions.ts'
import { coupons } from '../../api/operations/coupons.ts'
import { customers } from '../../api/operations/customers.ts'
import { testClocks } from '../../api/operations/test-clocks.ts'
import type { Client } from '../../client/client.ts'
import { readNewestSequence } from '../request/recent-events.ts'
import { type ActionContext, isImpossible, performAction, type SimulatedCustomer } from './actions.ts'
import { createDeliveryGate, type DeliveryGate } from './delivery-gate.ts'
import {
  getMonthStart,
  type PlannedAction,
  type PlannedCustomer,
  type PlanOptions,
  planCustomers,
  SIMULATION_START,
} from './plan.ts'
import type { Population } from './population.ts'

export interface SimulationOptions extends PlanOptions {
  readonly population: Population
  /** The endpoint that receives the events; null without webhooks. */
  readonly endpoint: string | null
  /** Aborted by ^C. */
  readonly signal: AbortSignal
  /** Called when the simulated time changes, with the time in Unix seconds. */
  readonly onTime: (now: number, gate: DeliveryGate | null) => Promise<void> | void
}

/** The result of a simulation. */
export interface Simulation {
  /** The id of the test clock. */
  readonly clock: string
  /** The number of months. */
  readonly months: number
  /** The simulated time at the end, in Unix seconds; earlier than the last month after an interruption. */
  readonly reached: number
  readonly customers: readonly SimulatedCustomer[]
  /** The number of events. */
  readonly events: number
  /** The number of failed delivery attempts, at most 100. */
  readonly failedDeliveries: number
  /** The number of actions that the state of their customer did not allow, such as a refund without a payment. */
  readonly skipped: number
}

interface Step {
  readonly customer: PlannedCustomer
  readonly action: PlannedAction
}

/**
 * Creates the customers on a new test clock and performs their actions at their times. Requests are sent one after the
 * other: their order decides the order of the events and, among jobs that are due at the same time, the order of the jobs.
 */
export async function runSimulation(client: Client, options: SimulationOptions): Promise<Simulation> {
  const { population, months, endpoint, signal, seed } = options
  const planned = planCustomers(population, options)
  const before = await readNewestSequence(client)
  const clock = await client.call(testClocks.create, {
    frozen_time: SIMULATION_START,
    name: `simulate ${seed}`.slice(0, 100),
  })
  const context: ActionContext = { client, endpoint }
  const couponIds = await createCoupons(client, population)
  const gate = endpoint === null ? null : createDeliveryGate(client, endpoint, signal)
  const simulated = new Map<PlannedCustomer, SimulatedCustomer>()
  let skipped = 0
  let reached = SIMULATION_START

  async function advance(to: number): Promise<void> {
    if (to > reached) await client.call(testClocks.advance, { id: clock.id, frozen_time: to })
    reached = to
    await gate?.wait()
    await options.onTime(to, gate)
  }

  async function perform({ customer, action }: Step): Promise<void> {
    const known = simulated.get(customer)
    if (known === undefined) {
      simulated.set(customer, await signUp(client, customer, { clock: clock.id, couponIds }))
      return
    }
    if (!(await isDone(performAction(context, known, action)))) skipped += 1
  }

  for (const [month, steps] of groupByMonth(planned, months).entries()) {
    for (const step of steps) {
      if (signal.aborted) break
      if (step.action.at > reached) await advance(step.action.at)
      await perform(step)
    }
    if (signal.aborted) break
    await advance(getMonthStart(month + 1) - 1)
  }
  await gate?.wait(0)
  return {
    ...{ clock: clock.id, months, reached, skipped, customers: [...simulated.values()] },
    events: (await readNewestSequence(client)) - before,
    failedDeliveries: (await gate?.countFailed()) ?? 0,
  }
}

/** Returns the steps of each month, sorted by time and then by customer. */
function groupByMonth(planned: readonly PlannedCustomer[], months: number): readonly (readonly Step[])[] {
  const steps = planned.flatMap((customer) => customer.actions.map((action) => ({ customer, action })))
  const sorted = steps.toSorted((a, b) => a.action.at - b.action.at)
  return Array.from({ length: months }, (_, month) =>
    sorted.filter(({ action: { at } }) => at >= getMonthStart(month) && at < getMonthStart(month + 1)),
  )
}

async function isDone(action: Promise<boolean>): Promise<boolean> {
  try {
    return await action
  } catch (error) {
    if (isImpossible(error)) return false
    throw error
  }
}

async function createCoupons(
  client: Client,
  { coupons: terms = [] }: Population,
): Promise<readonly string[]> {
  const ids: string[] = []
  for (const { percent_off, duration_in_months } of terms) {
    const duration =
      duration_in_months === undefined
        ? { duration: 'forever' as const }
        : { duration: 'repeating' as const, duration_in_months }
    ids.push((await client.call(coupons.create, { percent_off, ...duration })).id)
  }
  return ids
}

async function signUp(
  client: Client,
  { email, plan, card, coupon }: PlannedCustomer,
  { clock, couponIds }: { readonly clock: string; readonly couponIds: readonly string[] },
): Promise<SimulatedCustomer> {
  const { id } = await client.call(customers.create, { email, test_clock: clock })
  const { currency, weight: _weight, ...subscription_data } = plan
  const couponId = coupon === null ? undefined : couponIds[coupon]
  const discounts = couponId === undefined ? {} : { discounts: [{ coupon: couponId }] }
  const session = await client.call(checkoutSessions.create, {
    ...{ customer: id, currency, description: 'Simulated subscription', subscription_data },
    ...discounts,
  })
  const { subscription } = await client.call(checkoutSessions.complete, { id: session.id, test_card: card })
  return { id, subscription: subscription ?? '', hasDuplicate: false }
}
