import { api } from '../../../src/api/api.ts'
import { START } from '../../support/rule-context.ts'
import { catchDomainError } from '../../support/sandbox.ts'
import { assert, suite } from '../../support/suite.ts'
import {
  type ClockSandbox,
  challengeInvoice,
  createClockSandbox,
  retryWithChallenge,
  updateClock,
} from '../clock-sandbox.ts'
import { locationOf, tokenIn } from '../hosted-pages.ts'

const test = suite('payment-confirmation/invoices')

const open = () => createClockSandbox(START)

/** Returns the events after the first `count` events. */
async function eventsAfter({ sandbox }: ClockSandbox, count: number): Promise<string[]> {
  return (await sandbox.events()).slice(count).map(({ type }) => type)
}

test('pays the invoice after 3-D Secure approval', async () => {
  const clocked = await open()
  const { hosted, sandbox } = clocked
  const { invoice, payment, path } = await challengeInvoice(clocked)
  const asked = await hosted.get(path)
  assert.is(path, `/3ds/${payment}`)
  assert.is(asked.status, 200)
  for (const words of ['€10.00', 'Visa ending in 3184', 'INV-000002', 'Parking space']) {
    assert.match(asked.body, words)
  }
  assert.match(asked.body, `href="/invoices/${invoice.id}">Use another card`)
  const before = (await sandbox.events()).length
  const approved = await hosted.submit(path, { answer: 'approve' })
  assert.is(approved.status, 303)
  assert.is(locationOf(approved), `${path}/done`)
  assert.equal(await eventsAfter(clocked, before), [
    'payment.succeeded',
    'invoice.paid',
    'subscription.recovered',
  ])
  const done = await hosted.get(`${path}/done`)
  assert.is(done.status, 200)
  for (const words of ['Invoice paid', '€10.00', 'INV-000002', 'February.15,.2024', payment]) {
    assert.match(done.body, new RegExp(words))
  }
  const paid = await sandbox.call(api.invoices.retrieve, { id: invoice.id })
  assert.equal([paid.status, paid.latest_payment, paid.attempt_count], ['paid', payment, 1])
  const { payment_method_details } = await sandbox.call(api.payments.retrieve, { id: payment })
  assert.is(payment_method_details.card?.three_d_secure, 'authenticated')
})

test('pays nothing after 3-D Secure rejection and shows how to pay', async () => {
  const clocked = await open()
  const { hosted, sandbox } = clocked
  const { invoice, path } = await challengeInvoice(clocked)
  const before = (await sandbox.events()).length
  const rejected = await hosted.submit(path, { answer: 'reject' })
  assert.equal(await eventsAfter(clocked, before), ['payment.failed', 'invoice.payment_failed'])
  const done = await hosted.get(locationOf(rejected))
  assert.is(done.status, 200)
  for (const words of [
    'Payment not confirmed',
    'The card ending in 3184 was not charged.',
    'You can try again on the invoice page.',
    'Still to pay',
    '€10.00',
    'INV-000002',
  ]) {
    assert.match(done.body, words)
  }
  const unpaid = await sandbox.call(api.invoices.retrieve, { id: invoice.id })
  assert.equal([unpaid.status, unpaid.last_payment_error?.code], ['open', 'authentication_failed'])
  assert.is(unpaid.next_payment_attempt, invoice.next_payment_attempt, 'the schedule stays')
  assert.is(await sandbox.store.get('authentications', invoice.id), null)
})

test('declines a card that expired before the 3-D Secure approval', async () => {
  const clocked = await open()
  const { hosted, sandbox, clock } = clocked
  const { invoice } = await challengeInvoice(clocked, { exp_month: '2', exp_year: '24' })
  // The automatic retries have ended on this date, so only the manual payment below is pending.
  await sandbox.call(api.testClocks.advance, { id: clock.id, frozen_time: Date.UTC(2024, 1, 29) / 1000 })
  const { path } = await retryWithChallenge(clocked, invoice)
  await updateClock(clocked, { frozen_time: Date.UTC(2024, 2, 1) / 1000 })
  const answered = await hosted.submit(path, { answer: 'approve' })
  const { body } = await hosted.get(locationOf(answered))
  assert.match(body, 'Card declined')
  assert.match(body, 'Your card has expired. Use another card. The card ending in 3184 was not charged.')
})

test('returns 410 with a link to the result after the customer has responded', async () => {
  const clocked = await open()
  const { hosted } = clocked
  const { path } = await challengeInvoice(clocked)
  assert.is(locationOf(await hosted.get(`${path}/done`)), path, 'nothing has ended yet')
  const late = tokenIn((await hosted.get(path)).body)
  await hosted.submit(path, { answer: 'reject' })
  const answers = [await hosted.get(path), await hosted.post(path, { answer: 'approve', form_token: late })]
  for (const { status, body } of answers) {
    assert.is(status, 410)
    assert.match(body, 'Nothing left to confirm')
    assert.match(body, `href="${path}/done"`)
  }
})

test('shows the status of the invoice for a canceled payment', async () => {
  const ends: readonly (readonly [
    end: (clocked: ClockSandbox, id: string) => Promise<unknown>,
    words: string,
  ])[] = [
    [
      ({ sandbox }, id) => sandbox.call(api.invoices.void, { id }),
      'Invoice INV-000002 has been canceled in the meantime',
    ],
    [
      ({ sandbox }, id) => sandbox.call(api.invoices.pay, { id, paid_out_of_band: true }),
      'Invoice INV-000002 has been paid in the meantime',
    ],
    [
      ({ sandbox }, id) => sandbox.call(api.invoices.pay, { id, off_session: false }).catch(() => null),
      'You can try again',
    ],
    [({ sandbox, customer }) => sandbox.call(api.customers.delete, { id: customer }), 'You can try again'],
    [({ sandbox, clock }) => sandbox.call(api.testClocks.delete, { id: clock.id }), 'You can try again'],
  ]
  for (const [end, words] of ends) {
    const clocked = await open()
    const { hosted } = clocked
    const { invoice, path } = await challengeInvoice(clocked)
    const form_token = tokenIn((await hosted.get(path)).body)
    await end(clocked, invoice.id)
    const answers = [
      await hosted.get(path),
      await hosted.get(`${path}/done`),
      await hosted.post(path, { answer: 'approve', form_token }),
    ]
    for (const { status, body } of answers) {
      assert.is(status, 410)
      assert.match(body, 'This payment was canceled before it was confirmed')
      assert.match(body, words)
    }
  }
})

test('shows that the invoice of a failed payment was settled by another payment', async () => {
  for (const [settle, words] of [
    ['pay', 'has been paid in the meantime'],
    ['void', 'has been canceled in the meantime'],
  ] as const) {
    const clocked = await open()
    const { hosted, sandbox } = clocked
    const { invoice, path } = await challengeInvoice(clocked)
    await hosted.submit(path, { answer: 'reject' })
    const how = settle === 'pay' ? { paid_out_of_band: true } : {}
    await sandbox.call(api.invoices[settle], { id: invoice.id, ...how })
    const { body } = await hosted.get(`${path}/done`)
    assert.match(body, words)
    assert.match(body, /Still to pay<\/dt><dd>€0\.00/)
    assert.not.match(body, 'for a new one')
  }
})

test('confirms a payment of an uncollectible invoice', async () => {
  const clocked = await open()
  const { hosted, sandbox } = clocked
  const { invoice, path } = await challengeInvoice(clocked)
  await sandbox.call(api.invoices.markUncollectible, { id: invoice.id })
  const approved = await hosted.submit(path, { answer: 'approve' })
  assert.match((await hosted.get(locationOf(approved))).body, 'Invoice paid')
})

test('rejects a 3-D Secure response when the invoice has no pending payment or cannot be paid', async () => {
  const clocked = await open()
  const { sandbox } = clocked
  const { invoice } = await challengeInvoice(clocked)
  await catchDomainError(sandbox.answer(invoice.id, false))
  const unasked = await catchDomainError(sandbox.answer(invoice.id, true))
  assert.is(unasked.code, 'invoice_unexpected_state')
  assert.match(unasked.message, `No 3-D Secure authentication is pending for invoice '${invoice.id}'`)
  await sandbox.call(api.invoices.void, { id: invoice.id })
  const voided = await catchDomainError(sandbox.answer(invoice.id, true))
  assert.match(voided.message, `invoice '${invoice.id}': its status is void`)
})

test("redirects to the result page of the session after the cardholder's decision on a session payment", async () => {
  const clocked = await open()
  const { hosted, sandbox } = clocked
  const { invoice } = await challengeInvoice(clocked)
  const { data } = await sandbox.call(api.payments.list, {})
  const first = data.find(({ checkout_session }) => checkout_session !== null)
  const session = await sandbox.store.get('checkout_sessions', first?.checkout_session ?? '')
  assert.is(locationOf(await hosted.get(`/3ds/${first?.id}/done`)), `/checkout/${session?.id}/done`)
  assert.is((await hosted.get(`/3ds/${invoice.id}`)).status, 404)
  assert.is((await hosted.get(`/3ds/${invoice.id}/done`)).status, 404)
})

test.run()
