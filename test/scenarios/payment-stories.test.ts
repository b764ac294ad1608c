import { api } from '../../src/api/api.ts'
import { openDaemon, type TestDaemon } from '../support/daemon.ts'
import { runCommand } from '../support/run-command.ts'
import { newPaymentSession } from '../support/samples.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('scenarios/payment-stories')

/** The number of concurrent requests. */
const TRIES = 50
const TYPES = '--payment-method-types card --payment-method-types sepa_debit'

let daemon: TestDaemon

test.before(async () => {
  daemon = await openDaemon()
})

test.after(() => daemon?.stop())

function run(line: string) {
  const { api_url, api_key } = daemon.location
  const env = { PAYCLI_HOME: daemon.home, PAYCLI_API_BASE: api_url, PAYCLI_API_KEY: api_key }
  return runCommand(line.split(' '), env)
}

async function paycli(line: string): Promise<string> {
  const { code, stdout, stderr } = await run(line)
  assert.is(code, 0, `${line}: ${stderr}`)
  return stdout.trim()
}

/** Pays 25.00 EUR on a test clock with the card that is disputed; returns the ids. */
async function payAndDispute() {
  const clock = await paycli('clock create --at 2026-01-01 --field id')
  const customer = await paycli(`customers create --email ada@example.com --test-clock ${clock} --field id`)
  const session = await paycli(
    `payment-sessions create --customer ${customer} --amount 2500 --currency eur --return-url https://example.com --field id`,
  )
  const payment = await paycli(`payment-sessions complete ${session} --card dispute --field payment`)
  const dispute = await paycli(`disputes list --payment ${payment} --field data.0.id`)
  return { clock, payment, dispute }
}

async function statesOf({ payment, dispute }: { readonly payment: string; readonly dispute: string }) {
  const { status, funds } = await daemon.call(api.disputes.retrieve, { id: dispute })
  const { amount_disputed } = await daemon.call(api.payments.retrieve, { id: payment })
  return `${status} ${funds} ${amount_disputed}`
}

test('a merchant wins a dispute from the command line', async () => {
  const story = await payAndDispute()
  assert.is(await statesOf(story), 'needs_response withdrawn 2500')
  await paycli(`disputes update ${story.dispute} --evidence winning_evidence`)
  assert.is(await statesOf(story), 'under_review withdrawn 2500')
  await paycli(`clock advance ${story.clock} 1h`)
  assert.is(await statesOf(story), 'won reinstated 0')
  const timeline = await paycli(`timeline ${story.payment}`)
  const events = ['dispute.created', 'dispute.funds_withdrawn', 'dispute.closed', 'dispute.funds_reinstated']
  for (const type of events) assert.match(timeline, type)
  await paycli(`payments refund ${story.payment}`)
})

test('a merchant loses a dispute without a response, and cannot refund the payment', async () => {
  const story = await payAndDispute()
  assert.is(await paycli(`upcoming ${story.clock} --field data.0.data.object.status`), 'lost')
  await paycli(`clock advance ${story.clock} 7d`)
  assert.is(await statesOf(story), 'lost withdrawn 2500')
  const { code, stderr } = await run(`payments refund ${story.payment}`)
  assert.is(code, 6)
  assert.match(stderr, 'payment_disputed')
  assert.match(stderr, `paycli disputes list --payment ${story.payment}`)
})

test(`${TRIES} concurrent refunds and disputes never exceed the amount of the payment`, async () => {
  const { id } = await newPaymentSession(daemon, { amount: 1000 })
  const session = await daemon.call(api.paymentSessions.complete, { id, test_card: 'visa' })
  const payment = session.payment ?? ''
  const tries = Array.from({ length: TRIES }, (_, at) => {
    const amount = 40 + (at % 7) * 10
    return at % 2 === 0
      ? daemon.call(api.refunds.create, { payment, amount })
      : daemon.call(api.payments.dispute, { id: payment, reason: 'fraudulent', amount })
  })
  const results = await Promise.allSettled(tries)
  const moved = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  const codes = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.error.code] : []))
  const sumOf = (object: string) =>
    moved.filter((one) => one.object === object).reduce((sum, { amount }) => sum + amount, 0)
  const { amount_refunded, amount_disputed } = await daemon.call(api.payments.retrieve, { id: payment })
  assert.equal([amount_refunded, amount_disputed], [sumOf('refund'), sumOf('dispute')])
  assert.ok(amount_refunded > 0 && amount_disputed > 0)
  assert.ok(amount_refunded + amount_disputed <= 1000)
  // The remaining amount is less than the smallest amount that the test tries.
  assert.ok(1000 - amount_refunded - amount_disputed < 40, `${1000 - amount_refunded - amount_disputed} left`)
  assert.equal([...new Set(codes)].sort(), ['dispute_amount_too_large', 'payment_disputed'])
})

test('a debit fails after three days, and a card recovers the subscription, from the command line', async () => {
  const clock = await paycli('clock create --at 2026-01-01 --field id')
  const customer = await paycli(`customers create --email ada@example.com --test-clock ${clock} --field id`)
  const session = await paycli(
    `checkout create --customer ${customer} --currency eur --item Plan:1900 --interval month ${TYPES} --field id`,
  )
  const completed = await paycli(`checkout complete ${session} --card sepa_debit_fails --json`)
  const { payment_status, subscription, invoice } = JSON.parse(completed) as Record<string, string>
  assert.is(payment_status, 'unpaid')
  assert.is(await paycli(`get ${subscription} --field status`), 'active')
  assert.is(await paycli(`upcoming ${subscription} --field data.0.type`), 'payment.failed')
  await paycli(`clock advance ${clock} 3d`)
  assert.is(await paycli(`get ${subscription} --field status`), 'past_due')
  assert.is(await paycli(`get ${invoice} --field last_payment_error.code`), 'insufficient_funds')
  const update = await paycli(`card-sessions create --customer ${customer} --field id`)
  await paycli(`card-sessions complete ${update} --card visa`)
  assert.is(await paycli(`get ${invoice} --field status`), 'paid')
  assert.is(await paycli(`get ${subscription} --field status`), 'active')
  const timeline = await paycli(`timeline ${subscription}`)
  for (const type of [
    'invoice.payment_failed',
    'subscription.past_due',
    'invoice.paid',
    'subscription.recovered',
  ])
    assert.match(timeline, type)
})

test('a session by debit is complete before it is paid, and its refund is pending for three days', async () => {
  const clock = await paycli('clock create --at 2026-01-01 --field id')
  const customer = await paycli(`customers create --email ada@example.com --test-clock ${clock} --field id`)
  const session = await paycli(
    `payment-sessions create --customer ${customer} --amount 2500 --currency eur ${TYPES} --field id`,
  )
  const payment = await paycli(
    `payment-sessions complete ${session} --card DE89370400440532013000 --field payment`,
  )
  const state = async () => [
    await paycli(`get ${session} --field payment_status`),
    await paycli(`get ${payment} --field status`),
  ]
  assert.equal(await state(), ['unpaid', 'processing'])
  await paycli(`clock advance ${clock} 3d`)
  assert.equal(await state(), ['paid', 'succeeded'])
  const refund = await paycli(`payments refund ${payment} --field id`)
  assert.is(await paycli(`get ${refund} --field status`), 'pending')
  await paycli(`clock advance ${clock} 3d`)
  assert.is(await paycli(`get ${refund} --field status`), 'succeeded')
})

test.run()
