import { api } from '../../src/api/index.ts'
import type { Invoice } from '../../src/domain/invoices.ts'
import type { TestClock } from '../../src/domain/test-clocks.ts'
import { CHECKOUT_URL, createSandbox, refusal, type Sandbox, typed } from '../support/sandbox.ts'
import { Hosted } from './hosted.ts'

/** Approves in 3-D Secure while its buyer is there, and asks for it each time. */
export const SCA_ALWAYS = '4000002760003184'

/** Pages over a sandbox with a customer on a test clock. */
export interface Clocked {
  readonly sandbox: Sandbox
  readonly hosted: Hosted
  readonly clock: TestClock
  readonly customer: string
}

/** A sandbox, its pages, and a customer whose clock stands at a moment in Unix seconds. */
export async function openClocked(frozen_time: number): Promise<Clocked> {
  const sandbox = createSandbox()
  const clock = await sandbox.call(api.testClocks.create, { frozen_time })
  const { id } = await sandbox.call(api.customers.create, { email: 'ada@example.com', test_clock: clock.id })
  return { sandbox, hosted: new Hosted(CHECKOUT_URL, sandbox.runtime), clock, customer: id }
}

/** A monthly subscription to be checked out, for €10.00. */
export function newCheckout({ sandbox, customer }: Clocked) {
  return sandbox.call(api.checkoutSessions.create, {
    currency: 'eur',
    customer,
    subscription_data: {
      interval: 'month',
      items: [{ description: 'Parking space', price_data: { amount: 1000 } }],
    },
  })
}

/** Puts a clock into a state that a request could meet it in. */
export async function putClock(
  { sandbox, clock }: Clocked,
  change: Partial<TestClock> | 'deleted',
): Promise<void> {
  const { id, object } = clock
  const put = change === 'deleted' ? { id, object, deleted: true as const } : { ...clock, ...change }
  await sandbox.store.transact(async () => ({ result: null, writes: [{ put }], events: [] }))
}

/** An invoice that a renewal could not charge, and whose buyer is now asked for 3-D Secure at `path`. */
export interface ChallengedInvoice {
  readonly invoice: Invoice
  readonly payment: string
  readonly path: string
}

/** Subscribes with a card that always asks for its buyer, lets a month pass, and pays with the buyer there. */
export async function challengeInvoice(
  clocked: Clocked,
  more: Parameters<typeof typed>[1] = {},
): Promise<ChallengedInvoice> {
  const { sandbox, clock, customer } = clocked
  const session = await newCheckout(clocked)
  await sandbox.submit(session.id, typed(SCA_ALWAYS, more))
  await sandbox.answer(session.id, true)
  await sandbox.call(api.testClocks.advance, { id: clock.id, by: { interval: 'month', count: 1 } })
  const { data } = await sandbox.call(api.invoices.list, { customer, status: 'open' })
  const [invoice] = data
  if (invoice === undefined) throw new Error('the renewal was paid')
  return challengeAgain(clocked, invoice)
}

/** Tries once more to pay an invoice with its buyer there. */
export async function challengeAgain({ sandbox }: Clocked, { id }: Invoice): Promise<ChallengedInvoice> {
  const { details } = await refusal(sandbox.call(api.invoices.pay, { id, off_session: false }))
  const payment = await sandbox.call(api.payments.retrieve, { id: details.payment?.id ?? '' })
  const path = new URL(payment.next_action?.redirect_to_url.url ?? '').pathname
  return { invoice: await sandbox.call(api.invoices.retrieve, { id }), payment: payment.id, path }
}
