import { api } from '../../src/api/api.ts'
import { planClockAdvance } from '../../src/engine/clocks.ts'
import { subscribe } from '../support/billing.ts'
import { createClock, createCustomerOn } from '../support/clocks.ts'
import { catchDomainError, createSandbox, DAY } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('engine/clocks limits')

test('rejects an advance over more than 10,000 billing periods, and the error names the latest possible time', async () => {
  const sandbox = createSandbox()
  const clock = await createClock(sandbox)
  const { id } = clock
  const customer = await createCustomerOn(sandbox, id)
  for (let made = 0; made < 3; made += 1) {
    await subscribe(sandbox, { customer, interval: 'day', collection_method: 'send_invoice' })
  }
  const before = await sandbox.snapshot()
  const refused = await catchDomainError(
    sandbox.call(api.testClocks.advance, { id, by: { interval: 'year', count: 10 } }),
  )
  assert.equal([refused.code, refused.param], ['test_clock_too_far', 'by'])
  assert.match(refused.message, /about 10\d{3} billing periods, and the limit is 10000/)
  assert.equal(await sandbox.snapshot(), before)
  const furthest = Number(/at most to (\d+) /.exec(refused.message)?.[1])
  const plan = await planClockAdvance(sandbox.store, clock, { until: furthest, param: 'frozen_time' })
  assert.ok(plan.periods > 9_900 && plan.periods <= 10_000, String(plan.periods))
  assert.is(plan.furthest, furthest)
})

test('allows an advance to the next renewal, regardless of the number of subscriptions that renew then', async () => {
  const sandbox = createSandbox()
  const clock = await createClock(sandbox)
  const customer = await createCustomerOn(sandbox, clock.id)
  const subscription = await subscribe(sandbox, { customer, interval: 'day' })
  const data = Array.from({ length: 10_001 }, () => subscription as never)
  const reader = {
    ...sandbox.store,
    listDue: async () => data,
    list: async () => ({ data, has_more: false }),
  }
  const renewal = subscription.current_period_end ?? 0
  for (const until of [renewal, renewal + 1, renewal + 9 * 365 * DAY]) {
    const { periods, furthest } = await planClockAdvance(reader, clock, { until, param: 'frozen_time' })
    assert.equal([periods > 10_000, furthest], [true, renewal])
  }
})

test.run()
