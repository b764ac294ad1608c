import { api } from '../../src/api/api.ts'
import type { Fault } from '../../src/domain/faults/faults.ts'
import { checkInvariants } from '../../src/engine/invariants.ts'
import { HostedPages, pathOf, tokenIn, VISA } from '../pages/hosted-pages.ts'
import { invoiceIn, newCustomerWithCard, subscribe } from '../support/billing.ts'
import { advanceClockTo } from '../support/clocks.ts'
import { addFault, countsOf, type FaultParams, subscribeOnClock } from '../support/payment-faults.ts'
import { newCardSession, newCustomer, newPaymentSession } from '../support/samples.ts'
import {
  CHECKOUT_URL,
  catchDomainError,
  createSandbox,
  DAY,
  type Sandbox,
  START,
} from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('scenarios/payment-fault-counts')

test('a decline that applies once fails the first renewal, and the retry succeeds', async () => {
  const sandbox = createSandbox()
  const { clock, customer, renewal } = await subscribeOnClock(sandbox, 'visa')
  const fault = await addFault(sandbox, { type: 'decline', times: 1, match: { customer } })
  const statuses: string[] = []
  for (const at of [renewal, renewal + 3 * DAY]) {
    await advanceClockTo(sandbox, clock, at)
    const { data } = await sandbox.call(api.subscriptions.list, { customer })
    statuses.push(data[0]?.status ?? 'none')
  }
  assert.equal(statuses, ['past_due', 'active'])
  assert.is(await countsOf(sandbox, fault), '2/1')
  assert.equal(checkInvariants(await sandbox.snapshot()), [])
})

/** Columns: skip, times, statuses of the two open invoices after the card session, counts. */
const CARD_SESSIONS = [
  [1, 1, ['open', 'paid'], '3/1'],
  [2, 1, ['paid', 'open'], '3/1'],
  [1, 2, ['open', 'open'], '3/2'],
  [3, 1, ['paid', 'paid'], '3/0'],
] as const

for (const [skip, times, expected, counts] of CARD_SESSIONS) {
  test(`a card session counts its card check and the charge of each invoice: skip ${skip} and times ${times} leave ${expected.join(' and ')}`, async () => {
    const sandbox = createSandbox()
    const { id: customer } = await newCustomer(sandbox)
    const first = await subscribe(sandbox, { customer, card: 'renewal_no_funds' })
    const second = await subscribe(sandbox, { customer, card: 'renewal_no_funds' })
    await sandbox.moveTo(second.current_period_end ?? 0)
    const owed = await Promise.all([first, second].map(({ id }) => invoiceIn(sandbox, id, ['open'])))
    const fault = await addFault(sandbox, { type: 'decline', skip, times })
    const { id } = await newCardSession(sandbox, { customer })
    await sandbox.call(api.cardSessions.complete, { id, test_card: 'visa' })
    const invoices = await Promise.all(owed.map((one) => sandbox.call(api.invoices.retrieve, { id: one.id })))
    assert.equal(
      invoices.map(({ status }) => status),
      expected,
    )
    assert.is(await countsOf(sandbox, fault), counts)
    assert.equal(checkInvariants(await sandbox.snapshot()), [])
  })
}

test('a decline that prevents a subscription change counts, so that the second attempt succeeds', async () => {
  const sandbox = createSandbox()
  const { id, items } = await subscribe(sandbox)
  const fault = await addFault(sandbox, { type: 'decline', times: 1 })
  const change = () =>
    sandbox.call(api.subscriptions.update, {
      id,
      items: [{ id: items[0]?.id ?? '', price_data: { amount: 200_000 } }],
      proration_behavior: 'always_invoice',
      payment_behavior: 'error_if_incomplete',
    })
  assert.is((await catchDomainError(change())).code, 'card_declined')
  assert.is(await countsOf(sandbox, fault), '1/1')
  assert.is((await sandbox.call(api.payments.list, {})).data.length, 1)
  assert.is((await change()).items[0]?.price_data.amount, 200_000)
  assert.is(await countsOf(sandbox, fault), '2/1')
  assert.equal(checkInvariants(await sandbox.snapshot()), [])
})

test('a preview, which charges nothing, neither counts nor applies a fault', async () => {
  const sandbox = createSandbox()
  const { id } = await subscribe(sandbox)
  const before = await sandbox.call(api.subscriptions.preview, { id })
  const fault = await addFault(sandbox, { type: 'decline' })
  assert.equal(await sandbox.call(api.subscriptions.preview, { id }), before)
  assert.is(await countsOf(sandbox, fault), '0/0')
})

test('a payment counts once when its form is submitted twice', async () => {
  const sandbox = createSandbox()
  const { url } = await newPaymentSession(sandbox)
  const fault = await addFault(sandbox, { type: 'decline' })
  const hosted = new HostedPages(CHECKOUT_URL, sandbox.runtime)
  const path = pathOf({ url })
  const form = { ...VISA, form_token: tokenIn((await hosted.get(path)).body) }
  await hosted.post(path, form)
  await hosted.post(path, form)
  assert.is(await countsOf(sandbox, fault), '1/1')
})

/** Charges a saved card several times and returns `ok` or the decline code of each charge. */
async function chargeRepeatedly(sandbox: Sandbox, times: number, alias = 'visa'): Promise<string> {
  const { customer } = await newCustomerWithCard(sandbox, alias)
  const outcomes: string[] = []
  for (let count = 0; count < times; count += 1) {
    const params = { customer, amount: 500, currency: 'eur' }
    const charge = sandbox.call(api.payments.create, params)
    outcomes.push(
      await charge.then(
        () => 'ok',
        (error) => String(error.details.decline_code ?? error.code),
      ),
    )
  }
  return outcomes.join(' ')
}

/** Columns: faults, test card, outcomes of the charges, counts of each fault. */
const SEQUENCES: readonly (readonly [readonly FaultParams[], string, string, readonly string[]])[] = [
  [[{ type: 'decline', skip: 1, times: 2 }], 'visa', 'ok generic_decline generic_decline ok', ['4/2']],
  [[{ type: 'issuer_unavailable', skip: 3 }], 'visa', 'ok ok ok processing_error', ['4/1']],
  [
    [
      { type: 'decline', decline_code: 'stolen_card', times: 1 },
      { type: 'issuer_unavailable', times: 1 },
    ],
    'visa',
    'stolen_card processing_error ok ok',
    ['4/1', '4/1'],
  ],
  // The test cards whose decision depends on the number of charges count only the charges that they decide, or all attempts.
  [
    [{ type: 'issuer_unavailable', times: 1 }],
    'every_other',
    'processing_error ok generic_decline ok',
    ['4/1'],
  ],
  [[{ type: 'issuer_unavailable', times: 1 }], 'renewal_flaky', 'processing_error ok ok ok', ['4/1']],
  [[{ type: 'processing' }], 'visa', 'ok ok ok ok', ['0/0']],
  [[{ type: 'duplicate' }, { type: 'error' }], 'visa', 'ok ok ok ok', ['0/0', '0/0']],
]

for (const [faults, alias, expected, counts] of SEQUENCES) {
  const names = faults.map(({ type, skip = 0, times }) => `${type} (skip ${skip}, times ${times ?? 'all'})`)
  test(`four charges of the card ${alias} with ${names.join(' and ')}: ${expected}`, async () => {
    const sandbox = createSandbox()
    const created: Fault[] = []
    for (const params of faults) created.push(await addFault(sandbox, params))
    assert.is(await chargeRepeatedly(sandbox, 4, alias), expected)
    assert.equal(await Promise.all(created.map((fault) => countsOf(sandbox, fault))), counts)
    assert.equal(checkInvariants(await sandbox.snapshot()), [])
  })
}

test('the same seed declines the same charges, and another seed declines other charges', async () => {
  const outcomes = await Promise.all(
    ['a', 'a', 'b'].map(async (seed) => {
      const sandbox = createSandbox()
      await addFault(sandbox, { type: 'decline', probability: 50, seed })
      return chargeRepeatedly(sandbox, 12)
    }),
  )
  assert.is(outcomes[0], outcomes[1])
  assert.is.not(outcomes[0], outcomes[2])
  for (const outcome of outcomes) assert.ok(outcome.includes('ok') && outcome.includes('generic_decline'))
})

test('a fault no longer applies after its expiry or deletion', async () => {
  const sandbox = createSandbox()
  await addFault(sandbox, { type: 'decline', expires_at: START + 60 })
  assert.is(await chargeRepeatedly(sandbox, 2), 'generic_decline generic_decline')
  await sandbox.moveTo(START + 60)
  assert.is(await chargeRepeatedly(sandbox, 1), 'ok')
  const { id } = await addFault(sandbox, { type: 'issuer_unavailable' })
  assert.is(await chargeRepeatedly(sandbox, 1), 'processing_error')
  await sandbox.call(api.faults.delete, { id })
  assert.is(await chargeRepeatedly(sandbox, 1), 'ok')
})

test.run()
