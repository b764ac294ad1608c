import { api } from '../../../src/api/api.ts'
import { saveCard } from '../../support/billing.ts'
import { CARDS, newPaymentSession } from '../../support/samples.ts'
import { catchDomainError, createSandbox, DAY, typed } from '../../support/sandbox.ts'
import { assert, suite } from '../../support/suite.ts'
import { type ClockSandbox, createClockSandbox } from '../clock-sandbox.ts'
import { HostedPages, locationOf, tokenIn } from '../hosted-pages.ts'

const test = suite('payment-confirmation')

const START = Date.UTC(2024, 1, 15, 12) / 1000

interface Challenge extends ClockSandbox {
  readonly payment: string
  readonly path: string
}

/** Charges a saved card on session, which requires 3-D Secure. */
async function challenge(alias = 'sca_always', description?: string): Promise<Challenge> {
  const clocked = await createClockSandbox(START)
  const { sandbox, customer } = clocked
  await saveCard(sandbox, customer, alias)
  const params = {
    customer,
    amount: 4500,
    currency: 'eur',
    off_session: false,
    ...(description && { description }),
  }
  const { details } = await catchDomainError(sandbox.call(api.payments.create, params))
  const payment = details.payment?.id ?? ''
  return { ...clocked, payment, path: `/3ds/${payment}` }
}

async function statusOf({ sandbox, payment }: Challenge): Promise<string> {
  return (await sandbox.call(api.payments.retrieve, { id: payment })).status
}

test('shows amount, card and description, and no link to another card', async () => {
  const { hosted, path } = await challenge('sca_always', '<b>API calls</b>')
  const { status, body } = await hosted.get(path)
  assert.is(status, 200)
  for (const words of [
    'Confirm your payment',
    '€45.00',
    'Visa ending in 3184',
    '&lt;b&gt;API calls&lt;/b&gt;',
  ])
    assert.match(body, words)
  assert.not.match(body, 'Use another card')
})

test('an approval completes the payment, and the page shows the result', async () => {
  const asked = await challenge('sca_always', 'API calls')
  const { hosted, path, payment } = asked
  const approved = await hosted.submit(path, { answer: 'approve' })
  assert.equal([approved.status, locationOf(approved)], [303, `${path}/done`])
  assert.is(await statusOf(asked), 'succeeded')
  const done = await hosted.get(`${path}/done`)
  assert.is(done.status, 200)
  for (const words of ['Payment received', '€45.00', 'API calls', 'February.15,.2024', payment])
    assert.match(done.body, new RegExp(words))
  const again = await hosted.get(path)
  assert.is(again.status, 410)
  assert.match(again.body, `href="${path}/done">See the result`)
})

test('a rejection fails the payment, and the page asks the customer to request a new link', async () => {
  const asked = await challenge()
  const { hosted, path } = asked
  await hosted.submit(path, { answer: 'reject' })
  assert.is(await statusOf(asked), 'failed')
  const { status, body } = await hosted.get(`${path}/done`)
  assert.is(status, 200)
  for (const words of ['Payment not confirmed', 'The card ending in 3184 was not charged.', 'Ask the sender'])
    assert.match(body, words)
})

test('a decline after the approval shows its reason', async () => {
  const { hosted, path } = await challenge('sca_no_funds')
  await hosted.submit(path, { answer: 'approve' })
  const { body } = await hosted.get(`${path}/done`)
  assert.match(
    body,
    'Your card has insufficient funds. Try another card. The card ending in 3178 was not charged.',
  )
})

test('shows that a payment was canceled by the API or a day after its creation', async () => {
  for (const isLate of [false, true]) {
    const asked = await challenge()
    const { hosted, path, sandbox, payment, clock } = asked
    const form = { answer: 'approve', form_token: tokenIn((await hosted.get(path)).body) }
    if (isLate) await sandbox.call(api.testClocks.advance, { id: clock.id, frozen_time: START + DAY })
    else await sandbox.call(api.payments.cancel, { id: payment })
    for (const { status, body } of [
      await hosted.get(path),
      await hosted.get(`${path}/done`),
      await hosted.post(path, form),
    ]) {
      assert.is(status, 410)
      assert.match(body, 'This payment was canceled before it was confirmed, so nothing was charged.')
    }
    assert.is(await statusOf(asked), 'canceled')
  }
})

test('redirects from the result page of a payment that still requires 3-D Secure to its 3-D Secure page', async () => {
  const { hosted, path } = await challenge()
  const { status, headers } = await hosted.get(`${path}/done`)
  assert.equal([status, headers['Location']], [303, path])
})

test('shows that the payment of a session was canceled, and links to the form of the session', async () => {
  const sandbox = createSandbox()
  const hosted = new HostedPages('http://127.0.0.1:4101', sandbox.runtime)
  const { id } = await newPaymentSession(sandbox)
  const submitted = await sandbox.submit(id, typed(CARDS.sca))
  const target = submitted.kind === 'authenticate' ? submitted.target : ''
  await sandbox.call(api.payments.cancel, { id: target })
  const { status, body } = await hosted.get(`/3ds/${target}`)
  assert.is(status, 410)
  assert.match(body, 'The request was canceled before this was confirmed')
  assert.match(body, `href="/sessions/${id}"`)
})

test.run()
