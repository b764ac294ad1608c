import fc from 'fast-check'
import { api } from '../../src/api/api.ts'
import type { Subscription } from '../../src/domain/billing/subscriptions.ts'
import { isDeleted } from '../../src/domain/core/changes.ts'
import type { ProjectedEvent, Projection } from '../../src/domain/reports/projections.ts'
import { loadMatching } from '../../src/engine/load-related.ts'
import { advanceClockTo } from '../support/clocks.ts'
import { timeOf } from '../support/pick-records.ts'
import { noteRuns, runCount } from '../support/property.ts'
import { createSandbox, DAY, type Sandbox } from '../support/sandbox.ts'
import { releaseStoresAfterEachCase } from '../support/store-per-case.ts'
import { suite } from '../support/suite.ts'
import { assertProjected } from './projected-events.ts'
import { executeRun, randomRuns } from './random-runs.ts'

const HOUR_MS = 3_600_000
const test = suite('property/projections', {}, 4 * HOUR_MS)

releaseStoresAfterEachCase()

const MAX_ACTS = 60
const spans = fc.constantFrom(DAY, 7 * DAY, 40 * DAY, 100 * DAY, 400 * DAY)
const limits = fc.constantFrom(1, 7, 40, 1000, 1000)

interface Plan {
  readonly span: number
  readonly limit: number
}

/** Projects a subscription, and checks that this changes nothing. */
async function project(
  sandbox: Sandbox,
  of: object,
  { span, limit }: Plan,
  now: number,
): Promise<Projection> {
  const before = JSON.stringify(await sandbox.snapshot())
  const projection = await sandbox.call(api.projections.retrieve, { ...of, until: now + span, limit })
  if (JSON.stringify(await sandbox.snapshot()) !== before) throw new Error('a projection changed the store')
  if (projection.data.length > limit) throw new Error('a projection has more events than its limit')
  if (projection.has_more && projection.data.length < limit)
    throw new Error('a projection ended before its limit')
  return projection
}

interface ProjectedSubscription {
  readonly subscription: Subscription
  readonly projection: Projection
}

/** Projects every subscription on a clock, or in real time for null. */
async function projectSubscriptions(
  sandbox: Sandbox,
  clock: string | null,
  plan: Plan,
): Promise<ProjectedSubscription[]> {
  const all = await loadMatching(sandbox.store, 'subscriptions', {})
  const projected: ProjectedSubscription[] = []
  for (const subscription of all.filter(({ test_clock }) => test_clock === clock)) {
    const projection = await project(
      sandbox,
      { subscription: subscription.id },
      plan,
      await timeOf(sandbox, subscription),
    )
    projected.push({ subscription, projection })
  }
  return projected
}

/** Returns the events after a sequence number, without the events of clocks. */
async function eventsAfter(sandbox: Sandbox, sequence: number, clock: string | null) {
  const events = await sandbox.events()
  return events.filter(
    (event) =>
      event.sequence > sequence && event.test_clock === clock && !event.type.startsWith('test_clock.'),
  )
}

// The job of another subscription may change the same customer, so events of customers are compared for clocks only.
async function assertSubscriptions(
  sandbox: Sandbox,
  projected: readonly ProjectedSubscription[],
  sequence: number,
  clock: string | null,
): Promise<void> {
  const occurred = await eventsAfter(sandbox, sequence, clock)
  for (const { subscription, projection } of projected) {
    const isOwn = await createOwnFilter(sandbox, subscription)
    const data = projection.data.filter(({ type }) => !type.startsWith('customer.'))
    assertProjected({ ...projection, data }, occurred.filter(isOwn), {
      what: subscription.id,
      numbers: false,
    })
  }
}

async function createOwnFilter(sandbox: Sandbox, { id }: Subscription) {
  const invoices = await loadMatching(sandbox.store, 'invoices', { where: { subscription: id } })
  const billed = new Set<unknown>(invoices.map((invoice) => invoice.id))
  return ({ type, data: { object } }: Pick<ProjectedEvent, 'type' | 'data'>) => {
    // Refunds and disputes cause payment.updated, and both are part of the projections of clocks only.
    if (type === 'payment.updated') return false
    const fields = new Map<string, unknown>(Object.entries(object))
    const isPayment = object.object === 'payment' && billed.has(fields.get('invoice'))
    const isBilling = object.object.startsWith('invoice') && fields.get('subscription') === id
    return object.id === id || isBilling || isPayment
  }
}

const compared = { subscriptions: 0, clocks: 0, events: 0 }

function noteCompared(): void {
  const { subscriptions, clocks, events } = compared
  noteRuns(subscriptions, `subscriptions, ${clocks} clocks with ${events} events`)
}

const cases = fc.record({ run: randomRuns(MAX_ACTS, { size: 'max' }), span: spans, limit: limits })

test('the projections of a clock and its subscriptions equal the events of one advance', async () => {
  const property = fc.asyncProperty(cases, async ({ run, ...plan }) => {
    const sandbox = createSandbox({ dunning: run.dunning })
    await executeRun(sandbox, run.script)
    for (const clock of await loadMatching(sandbox.store, 'test_clocks', { where: { status: 'ready' } })) {
      if (isDeleted(clock)) continue
      const { id, frozen_time } = clock
      const whole = await project(sandbox, { test_clock: id }, plan, frozen_time)
      const parts = await projectSubscriptions(sandbox, id, plan)
      const sequence = await sandbox.store.newestSequence()
      await advanceClockTo(sandbox, id, frozen_time + plan.span)
      const occurred = await eventsAfter(sandbox, sequence, id)
      assertProjected(whole, occurred, { what: id, numbers: true })
      await assertSubscriptions(sandbox, parts, sequence, id)
      compared.clocks += 1
      compared.subscriptions += parts.length
      compared.events += whole.data.length
    }
  })
  await fc.assert(property, runCount(60))
  noteCompared()
})

test('the projections of subscriptions in real time equal the later events', async () => {
  const property = fc.asyncProperty(cases, async ({ run, ...plan }) => {
    const sandbox = createSandbox({ dunning: run.dunning })
    await executeRun(sandbox, run.script)
    // Issuers of test cards decide within an hour, and their decision may add a card to the customer.
    await sandbox.advance(HOUR_MS / 1000)
    const projected = await projectSubscriptions(sandbox, null, plan)
    const sequence = await sandbox.store.newestSequence()
    await sandbox.advance(plan.span)
    await assertSubscriptions(sandbox, projected, sequence, null)
    compared.subscriptions += projected.length
  })
  await fc.assert(property, runCount(60))
  noteCompared()
})

test.run()
