import { customers } from '../../api/operations/customers.ts'
import { events } from '../../api/operations/events.ts'
import { subscriptions } from '../../api/operations/subscriptions.ts'
import { testClocks } from '../../api/operations/test-clocks.ts'
import type { Client } from '../../client/client.ts'
import { newIdempotencyKey } from '../../client/idempotency-key.ts'
import { waitUnlessAborted } from '../../client/timing.ts'
import type { TestClock } from '../../domain/time/test-clocks.ts'
import { UsageError } from '../errors/usage-error.ts'
import { listObjects, readPages } from '../request/paginate.ts'
import type { SimulatedCustomer } from './actions.ts'
import type { ActionType } from './plan.ts'

const POLL_MS = 50
const PAGE_SIZE = 100
/** The number of requests that change objects, for each action with several such requests. */
const REQUESTS: Readonly<Partial<Record<ActionType, number>>> = { sign_up: 3, new_card: 2, dispute: 2 }

/** Creates the idempotency keys of a simulation, from which `readResumePosition` finds the last step. */
export type RequestKeys = ReturnType<typeof createRequestKeys>

/** Creates the idempotency keys of a simulation; the keys are random before the first step. */
export function createRequestKeys() {
  let prefix: string | null = null
  let count = 0
  return {
    /** Sets the step of the next requests: the position of an action, or the target of an advance. */
    begin(clock: string, step: number | `advance-${number}`): void {
      prefix = `simulate-${clock}-${step}`
      count = 0
    },
    /** Returns the key of the next request. */
    next(): string {
      count += 1
      return prefix === null ? newIdempotencyKey() : `${prefix}.${count}`
    },
  }
}

/** Finds the clock of an interrupted simulation by its name, and waits until its last advance is finished. */
export async function findInterruptedClock(
  client: Client,
  name: string,
  signal: AbortSignal,
): Promise<TestClock> {
  const { found } = await listObjects(client, testClocks.list, {}, Infinity)
  let clock = found.find((one) => one.name === name)
  if (clock === undefined)
    throw new UsageError('simulation_missing', 'This sandbox has no simulation with these options.', {
      param: 'continue',
      hint: 'Repeat the interrupted command with --continue and the same population, --customers, --months and --seed. List the test clocks: paycli clock list',
    })
  while (clock.status === 'advancing') {
    await waitUnlessAborted(POLL_MS, signal)
    clock = await client.call(testClocks.retrieve, { id: clock.id })
  }
  return clock
}

/**
 * Returns the position of the first action that an interrupted simulation has not finished. Earlier actions without an
 * event were not possible. `actions` are sorted by time.
 */
export async function readResumePosition(
  client: Client,
  clock: TestClock,
  actions: readonly { readonly type: ActionType; readonly at: number }[],
): Promise<number> {
  const pattern = new RegExp(`^simulate-${clock.id}-(\\d+)\\.(\\d+)$`)
  const current = actions.findIndex(({ at }) => at >= clock.frozen_time)
  let cursor = {}
  for (;;) {
    const { data, has_more } = await client.call(events.list, {
      ...{ test_clock: clock.id, limit: PAGE_SIZE },
      ...cursor,
    })
    for (const { request, created } of data) {
      const [, step, count] = pattern.exec(request?.idempotency_key ?? '') ?? []
      const last = Number(step)
      const action = actions[last]
      if (action !== undefined && action.at >= clock.frozen_time)
        return Number(count) < (REQUESTS[action.type] ?? 1) ? last : last + 1
      // The advance to the current time was later than every earlier action.
      if (action !== undefined || created < clock.frozen_time)
        return current === -1 ? actions.length : current
    }
    const last = data.at(-1)
    if (!has_more || last === undefined) return 0
    cursor = { starting_after: last.id }
  }
}

/** Reads the customers of a clock that have a subscription, by email. */
export async function readSimulatedCustomers(
  client: Client,
  clock: string,
): Promise<ReadonlyMap<string, SimulatedCustomer>> {
  const byCustomer = new Map<string, string>()
  await readPages(async (cursor) => {
    const { data, has_more } = await client.call(subscriptions.list, cursor)
    for (const { id, customer, test_clock } of data) if (test_clock === clock) byCustomer.set(customer, id)
    return { data: data.map(({ id }) => ({ id })), has_more }
  }, Infinity)
  const { found } = await listObjects(client, customers.list, { test_clock: clock }, Infinity)
  const signedUp = found.flatMap(({ id, email }): [string, SimulatedCustomer][] => {
    const subscription = byCustomer.get(id)
    return subscription === undefined ? [] : [[email, { id, subscription, hasDuplicate: false }]]
  })
  return new Map(signedUp)
}
