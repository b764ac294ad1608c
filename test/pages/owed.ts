import type { Invoice } from '../../src/domain/invoices.ts'
import { type Hosted, pathOf } from './hosted.ts'

/** An invoice that was sent to its buyer for two items, to be paid within two weeks. */
export async function owedIn(hosted: Hosted): Promise<Invoice> {
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
