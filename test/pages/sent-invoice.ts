import type { Invoice } from '../../src/domain/billing/invoices.ts'
import { type HostedPages, pathOf } from './hosted-pages.ts'

/** Creates an open invoice with two items that was sent to the customer and is due in two weeks. */
export async function createSentInvoice(hosted: HostedPages): Promise<Invoice> {
  const items = [
    { description: 'Monthly rent', price_data: { amount: 100_000, tax_percent: 20 } },
    { description: 'Parking space', price_data: { amount: 8000 } },
  ]
  const terms = { collection_method: 'send_invoice', days_until_due: 14, items } as const
  const session = await hosted.checkout(terms)
  await hosted.submit(pathOf(session), {})
  const { data } = await hosted.runtime.store.list('invoices', {
    limit: 1,
    where: { customer: session.customer },
  })
  const [invoice] = data
  if (invoice === undefined) throw new Error('no invoice was sent')
  return invoice
}
