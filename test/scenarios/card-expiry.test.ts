import { api } from '../../src/api/api.ts'
import { invoicesOf } from '../support/billing.ts'
import { advanceClockTo, newCustomerOnClock } from '../support/clocks.ts'
import { CARDS, newCheckout } from '../support/samples.ts'
import { createSandbox, type Sandbox, START, typed } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('scenarios/card-expiry')

const YEAR = 366 * 86_400

interface Subscribed {
  readonly sandbox: Sandbox
  readonly clock: string
  readonly session: string
}

async function createClockSession(): Promise<Subscribed> {
  const sandbox = createSandbox()
  const { clock, customer } = await newCustomerOnClock(sandbox)
  const { id: session } = await newCheckout(sandbox, { interval: 'year' }, { customer })
  return { sandbox, clock, session }
}

/** Returns the subscription of a completed session and the statuses of its invoices, oldest first. */
async function billingStatuses({ sandbox, session }: Subscribed): Promise<string> {
  const { subscription } = await sandbox.call(api.checkoutSessions.retrieve, { id: session })
  const { status } = await sandbox.call(api.subscriptions.retrieve, { id: subscription ?? '' })
  const invoices = await invoicesOf(sandbox, subscription ?? '')
  const states = invoices.map((one) => one.last_payment_error?.code ?? one.status)
  return [status, ...states].join(' ')
}

test('a test card without an entered expiry is valid for ten years of renewals', async () => {
  const one = await createClockSession()
  await one.sandbox.call(api.checkoutSessions.complete, { id: one.session, test_card: 'visa' })
  await advanceClockTo(one.sandbox, one.clock, START + 3 * YEAR)
  assert.is(await billingStatuses(one), 'active paid paid paid paid')
  await advanceClockTo(one.sandbox, one.clock, START + 10 * YEAR)
  assert.is(await billingStatuses(one), `active ${Array(11).fill('paid').join(' ')}`)
})

const EXPIRY = { exp_month: '12', exp_year: '2025' } as const

test('declines a card after its entered expiry on the test clock', async () => {
  const { number, cvc } = typed(CARDS.visa)
  const ways: ((one: Subscribed) => Promise<unknown>)[] = [
    ({ sandbox, session }) => sandbox.submit(session, typed(CARDS.visa, EXPIRY)),
    ({ sandbox, session: id }) =>
      sandbox.send(api.checkoutSessions.complete, { id, body: { card: { number, cvc, ...EXPIRY } } }),
  ]
  for (const enter of ways) {
    const one = await createClockSession()
    await enter(one)
    await advanceClockTo(one.sandbox, one.clock, START + YEAR)
    assert.is(await billingStatuses(one), 'active paid paid', 'in the year of its expiry')
    await advanceClockTo(one.sandbox, one.clock, START + 2 * YEAR)
    assert.is(await billingStatuses(one), 'past_due paid paid expired_card')
  }
})

test.run()
