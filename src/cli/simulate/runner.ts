import { createHash } from 'node:crypto'
import { checkoutSessions } from '../../api/operations/checkout-sessions.ts'
import { coupons } from '../../api/operations/coupons.ts'
import { customers } from '../../api/operations/customers.ts'
import { events } from '../../api/operations/events.ts'
import { testClocks } from '../../api/operations/test-clocks.ts'
import { ApiError } from '../../client/api-error.ts'
import type { Client } from '../../client/client.ts'
import type { Fault } from '../../domain/faults/faults.ts'
import type { TestClock } from '../../domain/time/test-clocks.ts'
import { readNewestSequence } from '../request/recent-events.ts'
import { ACTIONS, type ActionContext, isStateConflictError, type SimulatedCustomer } from './actions.ts'
import {
  findInterruptedClock,
  type RequestKeys,
  readResumePosition,
  readSimulatedCustomers,
} from './continuation.ts'
import { createDeliveryBacklogLimiter, type DeliveryBacklogLimiter } from './delivery-backlog-limiter.ts'
import { deleteSimulationFaults, ensureSimulationFaults, type FaultOptions } from './faults.ts'
import {
  getMonthStart,
  type PlannedAction,
  type PlannedCustomer,
  planCustomers,
  SIMULATION_START,
  type SimulationSize,
} from './plan.ts'
import type { Population } from './population.ts'

export interface SimulationOptions extends SimulationSize, FaultOptions {
  readonly population: Population
  /** The idempotency keys of the client. */
  readonly keys: RequestKeys
  /** The signal that ^C aborts. */
  readonly signal: AbortSignal
  /** Called when the simulated time changes, with the time in Unix seconds. */
  readonly onTime: (now: number, limiter: DeliveryBacklogLimiter | null) => Promise<void> | void
}

/** The result of a simulation. */
export interface SimulationResult {
  /** The id of the test clock. */
  readonly clock: string
  readonly months: number
  /** The simulated time at the end, in Unix seconds; earlier than the last month after an interruption. */
  readonly reached: number
  readonly customers: readonly SimulatedCustomer[]
  /** The faults with the numbers of their matches; empty after an interruption. */
  readonly faults: readonly Fault[]
  readonly events: number
  /** The number of failed delivery attempts, at most 100. */
  readonly failedDeliveries: number
  /** The number of skipped actions since the last start, such as a refund without a payment. */
  readonly skipped: number
}

interface Step {
  readonly customer: PlannedCustomer
  readonly action: PlannedAction
}

/**
 * Creates the customers on a new test clock, or continues on the clock of an interrupted simulation, and performs their
 * actions at their times. Requests are sent one after the other, because their order determines the order of events and
 * of simultaneous jobs.
 */
export async function runSimulation(client: Client, options: SimulationOptions): Promise<SimulationResult> {
  const { population, months, endpoint, signal, keys } = options
  const steps = listSteps(planCustomers(population, options), months)
  const start = await (options.isContinued ? findStart : createStart)(client, options, steps)
  const { clock, position } = start
  const simulated = new Map(start.customers)
  const context: ActionContext = { client, endpoint }
  await createCoupons(client, population, clock.id)
  const isEnded = position === steps.length && clock.frozen_time >= getMonthStart(months) - 1
  const faultSeed = getDigest(options)
  await ensureSimulationFaults(client, faultSeed, options, isEnded)
  const limiter = endpoint === null ? null : createDeliveryBacklogLimiter(client, endpoint, signal)
  let skipped = 0
  let reached = clock.frozen_time

  async function advance(to: number): Promise<void> {
    if (to <= reached || signal.aborted) return
    keys.begin(clock.id, `advance-${to}`)
    await client.call(testClocks.advance, { id: clock.id, frozen_time: to })
    reached = to
    await limiter?.wait()
    await options.onTime(to, limiter)
  }

  async function tryAction({ customer, action }: Step): Promise<boolean> {
    const known = simulated.get(customer.email)
    if (action.type !== 'sign_up') return known !== undefined && ACTIONS[action.type](context, known, action)
    const signedUp = known ?? (await signUp(client, customer, clock.id))
    if (signedUp !== null) simulated.set(customer.email, signedUp)
    return signedUp !== null
  }

  async function perform(step: Step, index: number): Promise<void> {
    keys.begin(clock.id, index)
    // A fault may decline the payment of a sign-up. Then all actions of the customer are skipped.
    const isDone = await tryAction(step).catch((error: unknown) => {
      if (isStateConflictError(error)) return false
      throw error
    })
    if (!isDone) skipped += 1
  }

  for (let month = 0, index = position; month < months && !signal.aborted; month += 1) {
    const end = getMonthStart(month + 1)
    for (let step = steps[index]; step !== undefined && step.action.at < end; step = steps[index]) {
      await advance(step.action.at)
      if (signal.aborted) break
      await perform(step, index)
      index += 1
    }
    // An event in the last second of each month shows that the month is complete.
    await advance(end - 1)
  }
  await limiter?.wait(0)
  // Faults of an interrupted simulation continue to count their matches when the simulation is continued.
  const faults = signal.aborted ? [] : await deleteSimulationFaults(client, faultSeed)
  return {
    ...{ clock: clock.id, months, reached, skipped, faults, customers: [...simulated.values()] },
    events: (await readNewestSequence(client)) - start.before,
    failedDeliveries: (await limiter?.countFailed()) ?? 0,
  }
}

/** The position and the state at which a simulation starts or continues. */
interface Start {
  readonly clock: TestClock
  /** The position of the first action that is not performed. */
  readonly position: number
  /** The customers that have signed up, by email. */
  readonly customers: ReadonlyMap<string, SimulatedCustomer>
  /** The number of events of the sandbox before the simulation. */
  readonly before: number
}

async function createStart(client: Client, options: SimulationOptions): Promise<Start> {
  const before = await readNewestSequence(client)
  const clock = await client.call(testClocks.create, {
    frozen_time: SIMULATION_START,
    name: getClockName(options),
  })
  return { clock, position: 0, customers: new Map(), before }
}

async function findStart(client: Client, options: SimulationOptions, steps: readonly Step[]): Promise<Start> {
  const clock = await findInterruptedClock(client, getClockName(options), options.signal)
  const actions = steps.map(({ action }) => action)
  const { data } = await client.call(events.list, { object_id: clock.id, type: 'test_clock.created' })
  const position = await readResumePosition(client, clock, actions)
  const signedUp = await readSimulatedCustomers(client, clock.id)
  for (const { customer, action } of steps.slice(0, position)) {
    const known = signedUp.get(customer.email)
    if (known !== undefined && action.type === 'duplicate_delivery')
      known.hasDuplicate = options.endpoint !== null
  }
  return { clock, position, customers: signedUp, before: (data[0]?.sequence ?? 1) - 1 }
}

function getClockName(options: SimulationOptions): string {
  const { seed, customers, months } = options
  return `simulate ${seed.slice(0, 100)}: ${customers} customers, ${months} months (${getDigest(options)})`
}

/** Returns a text that distinguishes simulations with different events. */
function getDigest({ population, seed, customers, months, faults }: SimulationOptions): string {
  const options = JSON.stringify([population, seed, customers, months, faults])
  return createHash('sha256').update(options).digest('hex').slice(0, 8)
}

/** Returns the steps of the first months, sorted by time and then by customer. */
function listSteps(planned: readonly PlannedCustomer[], months: number): readonly Step[] {
  return planned
    .flatMap((customer) => customer.actions.map((action) => ({ customer, action })))
    .filter(({ action: { at } }) => at < getMonthStart(months))
    .toSorted((a, b) => a.action.at - b.action.at)
}

/** Creates the coupons, unless the interrupted simulation created them. */
async function createCoupons(
  client: Client,
  { coupons: terms = [] }: Population,
  clock: string,
): Promise<void> {
  for (const [index, { percent_off, duration_in_months }] of terms.entries()) {
    const duration =
      duration_in_months === undefined
        ? { duration: 'forever' as const }
        : { duration: 'repeating' as const, duration_in_months }
    const created = client.call(coupons.create, { id: getCouponId(clock, index), percent_off, ...duration })
    await created.catch((error: unknown) => {
      if (!(error instanceof ApiError && error.error.code === 'coupon_exists')) throw error
    })
  }
}

function getCouponId(clock: string, index: number): string {
  return `${clock}-${index + 1}`
}

/** Creates a customer with a subscription. Resolves with null without a subscription, for example if the payment is pending. */
async function signUp(
  client: Client,
  { email, plan, card, coupon }: PlannedCustomer,
  clock: string,
): Promise<SimulatedCustomer | null> {
  const { id } = await client.call(customers.create, { email, test_clock: clock })
  const { currency, weight: _weight, ...subscription_data } = plan
  const discounts = coupon === null ? {} : { discounts: [{ coupon: getCouponId(clock, coupon) }] }
  const session = await client.call(checkoutSessions.create, {
    ...{ customer: id, currency, description: 'Simulated subscription', subscription_data },
    ...discounts,
  })
  const { subscription } = await client.call(checkoutSessions.complete, { id: session.id, test_card: card })
  return subscription === null ? null : { id, subscription, hasDuplicate: false }
}
