import { api } from '../../src/api/api.ts'
import { checkInvariants } from '../../src/engine/invariants.ts'
import { saveCard, subscribe } from '../support/billing.ts'
import { advanceClockTo, createClock, createCustomerOn, newCustomerOnClock } from '../support/clocks.ts'
import { shortType } from '../support/lifecycle.ts'
import { addFault } from '../support/payment-faults.ts'
import { newCustomer, newPaymentSession } from '../support/samples.ts'
import { createSandbox, DAY, type Sandbox, START } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('scenarios/dispute-cards')

const HOUR = 3600
const OPENED = ['py.updated', 'dp.created', 'dp.funds_withdrawn']

async function typesAfter(sandbox: Sandbox, count: number): Promise<string[]> {
  return (await sandbox.events()).slice(count).map(shortType)
}

/** The time source of a customer: real time, or a test clock that is never advanced. */
const OWNERS: Readonly<Record<string, (sandbox: Sandbox) => Promise<string>>> = {
  'in real time': async (sandbox) => (await newCustomer(sandbox)).id,
  'on a test clock': async (sandbox) => createCustomerOn(sandbox, (await createClock(sandbox)).id),
}

/** Test cards with the reason and status of their disputes, the disputed amount and the events of the opening. */
const CARDS = [
  ['dispute', 'fraudulent needs_response', 1000, OPENED],
  ['dispute_not_received', 'product_not_received needs_response', 1000, OPENED],
  ['dispute_inquiry', 'fraudulent warning_needs_response', 0, ['py.updated', 'dp.created']],
] as const

for (const [when, createOwner] of Object.entries(OWNERS)) {
  for (const [alias, expected, disputed, events] of CARDS) {
    test(`the card ${alias} opens a dispute after the session is completed, ${when}`, async () => {
      const sandbox = createSandbox()
      const { id } = await newPaymentSession(sandbox, { customer: await createOwner(sandbox) })
      const before = (await sandbox.events()).length
      await sandbox.call(api.paymentSessions.complete, { id, test_card: alias })
      const { data } = await sandbox.call(api.disputes.list, {})
      const types = await typesAfter(sandbox, before)
      assert.equal(types, ['py.created', 'py.succeeded', 'py_sess.completed', ...events])
      assert.equal(
        data.map(({ reason, status }) => `${reason} ${status}`),
        [expected],
      )
      const payment = await sandbox.call(api.payments.retrieve, { id: data[0]?.payment ?? '' })
      assert.equal([payment.disputed, payment.amount_disputed], [true, disputed])
      const opened = (await sandbox.events()).slice(-events.length)
      assert.equal(
        opened.map(({ request, created }) => [request, created]),
        events.map(() => [null, START]),
      )
      assert.equal(checkInvariants(await sandbox.snapshot()), [])
    })
  }

  test(`an API payment with the card dispute is disputed immediately, ${when}`, async () => {
    const sandbox = createSandbox()
    const customer = await createOwner(sandbox)
    await saveCard(sandbox, customer, 'dispute')
    const { id } = await sandbox.call(api.payments.create, { customer, amount: 700, currency: 'eur' })
    const { data } = await sandbox.call(api.disputes.list, { payment: id })
    assert.equal(
      data.map(({ amount, funds, evidence_due_by }) => [amount, funds, evidence_due_by]),
      [[700, 'withdrawn', START + 7 * DAY]],
    )
  })
}

test('the card dispute disputes a reserved payment when it is captured, for the captured amount', async () => {
  const sandbox = createSandbox()
  const { id: session } = await newPaymentSession(sandbox, { capture_method: 'manual' })
  const { payment } = await sandbox.call(api.paymentSessions.complete, { id: session, test_card: 'dispute' })
  assert.equal((await sandbox.call(api.disputes.list, {})).data, [])
  await sandbox.call(api.payments.capture, { id: payment ?? '', amount: 400 })
  const { data } = await sandbox.call(api.disputes.list, {})
  assert.equal(
    data.map(({ amount, reason, funds }) => [amount, reason, funds]),
    [[400, 'fraudulent', 'withdrawn']],
  )
  assert.equal(checkInvariants(await sandbox.snapshot()), [])
})

test('with a slow issuer, the dispute starts after the issuer decides, at the time of the test clock', async () => {
  const sandbox = createSandbox()
  const { customer } = await newCustomerOnClock(sandbox)
  await addFault(sandbox, { type: 'processing', delay_ms: 5000, match: { customer } })
  const { id } = await newPaymentSession(sandbox, { customer })
  const before = (await sandbox.events()).length
  await sandbox.call(api.paymentSessions.complete, { id, test_card: 'dispute' })
  await sandbox.advance(5)
  assert.equal(await typesAfter(sandbox, before), [
    ...['py.created', 'py.succeeded', 'py_sess.completed'],
    ...OPENED,
  ])
  assert.is((await sandbox.events()).at(-1)?.created, START)
})

test('each renewal with the card dispute is disputed and lost a week later, in one advance or in daily advances', async () => {
  const histories: string[][] = []
  for (const steps of [[50], Array.from({ length: 50 }, (_, day) => day + 1)]) {
    const sandbox = createSandbox()
    const { clock, customer } = await newCustomerOnClock(sandbox)
    const { id } = await subscribe(sandbox, { customer, card: 'dispute' })
    for (const days of steps) await advanceClockTo(sandbox, clock, START + days * DAY)
    const events = await sandbox.events()
    histories.push(
      events
        .filter(({ type }) => !type.startsWith('test_clock.'))
        .map((event) => `${shortType(event)} ${event.created - START}`),
    )
    const { data } = await sandbox.call(api.disputes.list, { customer })
    assert.equal(
      data.map(({ status, invoice }) => [status, invoice !== null]),
      [
        ['lost', true],
        ['lost', true],
      ],
    )
    assert.is((await sandbox.call(api.subscriptions.retrieve, { id })).status, 'active')
    const invoices = await sandbox.call(api.invoices.list, { subscription: id })
    assert.equal(
      invoices.data.map(({ status }) => status),
      ['paid', 'paid'],
    )
    assert.equal(checkInvariants(await sandbox.snapshot()), [])
  }
  assert.equal(histories[0], histories[1])
})

test('deleting a test clock leaves its disputes open', async () => {
  const sandbox = createSandbox()
  const { clock, customer } = await newCustomerOnClock(sandbox)
  const { id } = await newPaymentSession(sandbox, { customer })
  await sandbox.call(api.paymentSessions.complete, { id, test_card: 'dispute' })
  await sandbox.call(api.testClocks.delete, { id: clock })
  await sandbox.advance(30 * DAY)
  const { data } = await sandbox.call(api.disputes.list, { customer })
  assert.equal(
    data.map(({ status, closed_at }) => [status, closed_at]),
    [['needs_response', null]],
  )
  assert.equal(checkInvariants(await sandbox.snapshot()), [])
})

test('disputes of a deleted customer are still decided', async () => {
  const sandbox = createSandbox()
  const { id: customer } = await newCustomer(sandbox)
  const { id } = await newPaymentSession(sandbox, { customer })
  await sandbox.call(api.paymentSessions.complete, { id, test_card: 'dispute' })
  const [dispute] = (await sandbox.call(api.disputes.list, { customer })).data
  await sandbox.call(api.customers.delete, { id: customer })
  const evidence = { text: 'winning_evidence' }
  await sandbox.call(api.disputes.update, { id: dispute?.id ?? '', evidence })
  await sandbox.advance(HOUR)
  assert.equal((await sandbox.call(api.disputes.list, { customer })).data[0]?.status, 'won')
  assert.equal(checkInvariants(await sandbox.snapshot()), [])
})

test('a payment that was refunded in full cannot be disputed', async () => {
  const sandbox = createSandbox()
  const { id } = await newPaymentSession(sandbox)
  const { payment } = await sandbox.call(api.paymentSessions.complete, { id, test_card: 'visa' })
  await sandbox.call(api.refunds.create, { payment: payment ?? '' })
  const error = await sandbox
    .call(api.payments.dispute, { id: payment ?? '', reason: 'fraudulent' })
    .catch(({ code }: { code: string }) => code)
  assert.is(error, 'payment_already_refunded')
})

test.run()
