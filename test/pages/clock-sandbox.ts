import { api } from '../../src/api/api.ts'
import type { Invoice } from '../../src/domain/billing/invoices.ts'
import type { TestClock } from '../../src/domain/time/test-clocks.ts'
import { CHECKOUT_URL, catchDomainError, createSandbox, type Sandbox, typed } from '../support/sandbox.ts'
import { HostedPages } from './hosted-pages.ts'

/** A card that requires 3-D Secure for every payment. */
export const SCA_ALWAYS = '4000002760003184'

/** Hosted pages of a sandbox with a customer on a test clock. */
export interface ClockSandbox {
  readonly sandbox: Sandbox
  readonly hosted: HostedPages
  readonly clock: TestClock
  readonly customer: string
}

/** Creates a sandbox with its pages and a customer on a test clock at `frozen_time`, in Unix seconds. */
export async function createClockSandbox(frozen_time: number): Promise<ClockSandbox> {
  const sandbox = createSandbox()
  const clock = await sandbox.call(api.testClocks.create, { frozen_time })
  const { id } = await sandbox.call(api.customers.create, { email: 'ada@example.com', test_clock: clock.id })
  return { sandbox, hosted: new HostedPages(CHECKOUT_URL, sandbox.runtime), clock, customer: id }
}

/** Creates a checkout session for a monthly subscription of €10.00. */
export function newCheckout({ sandbox, customer }: ClockSandbox) {
  return sandbox.call(api.checkoutSessions.create, {
    currency: 'eur',
    customer,
    subscription_data: {
      interval: 'month',
      items: [{ description: 'Parking space', price_data: { amount: 1000 } }],
    },
  })
}

/** Stores a change of the clock, such as another status. */
export async function updateClock(
  { sandbox, clock }: ClockSandbox,
  change: Partial<TestClock> | 'deleted',
): Promise<void> {
  const { id, object } = clock
  const put = change === 'deleted' ? { id, object, deleted: true as const } : { ...clock, ...change }
  await sandbox.store.transact(async () => ({ result: null, writes: [{ put }], events: [] }))
}

/** An invoice whose renewal failed and whose payment now awaits 3-D Secure at `path`. */
export interface ChallengedInvoice {
  readonly invoice: Invoice
  readonly payment: string
  readonly path: string
}

/** Subscribes with a card that always requires 3-D Secure, advances a month and pays the invoice on-session. */
export async function challengeInvoice(
  clocked: ClockSandbox,
  more: Parameters<typeof typed>[1] = {},
): Promise<ChallengedInvoice> {
  const { sandbox, clock, customer } = clocked
  const session = await newCheckout(clocked)
  await sandbox.submit(session.id, typed(SCA_ALWAYS, more))
  await sandbox.answer(session.id, true)
  await sandbox.call(api.testClocks.advance, { id: clock.id, by: { interval: 'month', count: 1 } })
  const { data } = await sandbox.call(api.invoices.list, { customer, status: 'open' })
  const [invoice] = data
  if (invoice === undefined) throw new Error('the renewal succeeded')
  return retryWithChallenge(clocked, invoice)
}

/** Tries again to pay an invoice on-session. */
export async function retryWithChallenge(
  { sandbox }: ClockSandbox,
  { id }: Invoice,
): Promise<ChallengedInvoice> {
  const { details } = await catchDomainError(sandbox.call(api.invoices.pay, { id, off_session: false }))
  const payment = await sandbox.call(api.payments.retrieve, { id: details.payment?.id ?? '' })
  const path = new URL(payment.next_action?.redirect_to_url.url ?? '').pathname
  return { invoice: await sandbox.call(api.invoices.retrieve, { id }), payment: payment.id, path }
}
