import { api } from '../../src/api/api.ts'
import type { Payment } from '../../src/domain/payments/payments.ts'
import { invoicesOf, subscribe, toNextPeriod } from '../support/billing.ts'
import { newCardSession, newCustomer } from '../support/samples.ts'
import { CHECKOUT_URL, createSandbox, DAY, type Sandbox } from '../support/sandbox.ts'
import { HostedPages, pathOf, RETURN_URL, type ServedPage, VISA } from './hosted-pages.ts'

type Item = Parameters<HostedPages['checkout']>[0] extends { items?: infer I } | undefined ? I : never

const LONG_NAME = 'Rindfleischetikettierungsüberwachungsgesellschaft für Ada & Söhne, '.repeat(3).trim()
const RATES = [0, 5.5, 10, 20]

/** Twenty items with quantities, long names and four tax rates. */
const TWENTY_ITEMS = Array.from({ length: 20 }, (_, index) => ({
  description: index === 0 ? LONG_NAME : `Linen service, storey ${index}`,
  quantity: index + 1,
  price_data: { amount: 1999, tax_percent: RATES[index % RATES.length] ?? 0 },
})) satisfies Item

/** Completes a checkout session with twenty items in a currency, and returns the path of its receipt. */
export async function completeTwentyItems(hosted: HostedPages, currency = 'eur'): Promise<string> {
  const customer = await hosted.customer({ name: LONG_NAME })
  const fields = { currency, return_url: RETURN_URL, description: 'Housekeeping' }
  const path = pathOf(await hosted.checkout({ items: TWENTY_ITEMS }, fields, customer))
  await hosted.submit(path, VISA)
  return path
}

/** Pays a payment session and refunds an amount of it in minor units. Returns the path of the receipt. */
export async function refundPayment(
  sandbox: Sandbox,
  amount: number,
): Promise<{ readonly path: string; readonly payment: Payment }> {
  const hosted = new HostedPages(CHECKOUT_URL, sandbox.runtime)
  const { id: customer } = await newCustomer(sandbox)
  const params = {
    ...{ amount: 4500, currency: 'eur', customer, description: 'Workshop' },
    ...{ payment_method_types: ['card' as const], return_url: RETURN_URL },
  }
  const session = await sandbox.call(api.paymentSessions.create, params)
  await hosted.submit(pathOf(session), VISA)
  const { payment } = await sandbox.call(api.paymentSessions.retrieve, { id: session.id })
  await sandbox.call(api.refunds.create, { payment: payment ?? '', amount })
  return {
    path: pathOf(session),
    payment: await sandbox.call(api.payments.retrieve, { id: payment ?? '' }),
  }
}

/** Returns the path of an invoice that credit pays in part if `isPart`, otherwise in full. */
export async function coverByCredit(
  sandbox: Sandbox,
  isPart: boolean,
  terms: Parameters<typeof subscribe>[1] = {},
): Promise<string> {
  const { id } = await subscribe(sandbox, terms)
  const credit = { subscription: id, tax_percent: 20, description: 'Goodwill' }
  const unit_amount = isPart ? -150_000 : -600_000
  await sandbox.call(api.invoiceItems.create, { ...credit, unit_amount })
  await toNextPeriod(sandbox, id)
  await toNextPeriod(sandbox, id)
  const [newest] = (await invoicesOf(sandbox, id)).toReversed()
  return pathOf({ url: newest?.hosted_invoice_url ?? '' })
}

/** Changes the price of a subscription within its period, and returns the path of the paid invoice of the change. */
export async function payProration(sandbox: Sandbox): Promise<string> {
  const items = [{ description: 'Seat', price_data: { amount: 1000 } }]
  const { id, items: priced } = await subscribe(sandbox, { items })
  await sandbox.advance(10 * DAY)
  const change = [{ id: priced[0]?.id ?? '', price_data: { amount: 4000 } }]
  await sandbox.call(api.subscriptions.update, { id, items: change, proration_behavior: 'always_invoice' })
  const [, invoice] = await invoicesOf(sandbox, id)
  return pathOf({ url: invoice?.hosted_invoice_url ?? '' })
}

/** Completes a card session that pays the declined renewals of two subscriptions. Returns the path of the receipt. */
export async function payTwoInvoices(sandbox: Sandbox): Promise<string> {
  const { id: customer } = await newCustomer(sandbox)
  const { id } = await subscribe(sandbox, { customer, card: 'renewal_no_funds' })
  await subscribe(sandbox, { customer, card: 'renewal_no_funds' })
  await toNextPeriod(sandbox, id)
  const path = pathOf(await newCardSession(sandbox, { customer }))
  await new HostedPages(CHECKOUT_URL, sandbox.runtime).submit(path, VISA)
  return path
}

const renderIn = (act: (sandbox: Sandbox) => Promise<string>) => async (): Promise<ServedPage> => {
  const sandbox = createSandbox()
  const path = await act(sandbox)
  return new HostedPages(CHECKOUT_URL, sandbox.runtime).get(path)
}

/** The receipts that differ from the receipt of an ordinary paid session or invoice. */
export const RECEIPT_SCENES: readonly (readonly [name: string, render: () => Promise<ServedPage>])[] = [
  [
    'receipt-of-twenty-items',
    async () => {
      const hosted = new HostedPages()
      hosted.pages.brand = { name: LONG_NAME }
      return hosted.get(await completeTwentyItems(hosted))
    },
  ],
  ['receipt-refunded', renderIn(async (sandbox) => (await refundPayment(sandbox, 1000)).path)],
  ['receipt-with-credit', renderIn((sandbox) => coverByCredit(sandbox, true))],
  ['receipt-covered-by-credit', renderIn((sandbox) => coverByCredit(sandbox, false))],
  ['receipt-of-a-proration', renderIn(payProration)],
  ['receipts-of-two-invoices', renderIn(payTwoInvoices)],
  [
    'receipt-of-a-trial',
    async () => {
      const hosted = new HostedPages()
      const path = pathOf(await hosted.checkout({ trial_days: 7 }))
      await hosted.submit(path, VISA)
      return hosted.get(path)
    },
  ],
]
