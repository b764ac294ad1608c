import { events } from '../../api/operations/events.ts'
import type { Client } from '../../client/client.ts'
import type { InvoiceItem } from '../../domain/billing/invoice-items.ts'
import type { Subscription } from '../../domain/billing/subscriptions.ts'
import type { Event } from '../../domain/events/events.ts'
import { formatMoney } from '../views/result-summary.ts'

/**
 * Returns a warning about pending invoice items that a cancellation deleted, with the command that charges them; null
 * without deleted items. `response` is the response to the cancellation.
 */
export async function findDeletedItemsWarning(client: Client, response: object): Promise<string | null> {
  const { id, status } = response as Subscription
  if (status !== 'canceled') return null
  const types = ['subscription.canceled', 'invoice_item.deleted'] as const
  const { data } = await client.call(events.list, { types: [...types], limit: 100 })
  const own = data.filter((event) => isOf(event, id))
  const request = own[0]?.request?.id
  const items = own.flatMap(({ data: { object }, request: cause }) =>
    object.object === 'invoice_item' && cause?.id === request ? [object as InvoiceItem] : [],
  )
  return describeDroppedItems(items)
}

function isOf({ data: { object } }: Event, subscription: string): boolean {
  return object.id === subscription || ('subscription' in object && object.subscription === subscription)
}

function describeDroppedItems(items: readonly InvoiceItem[]): string | null {
  const [first] = items
  if (first === undefined) return null
  const { customer, currency } = first
  const total = items.reduce((sum, item) => sum + item.total, 0)
  const what =
    items.length === 1 ? '1 pending invoice item was' : `${items.length} pending invoice items were`
  const dropped = `${what} deleted and not billed: ${formatMoney(total, currency)} in all.`
  const charge = `paycli payments create --customer ${customer} --amount ${total} --currency ${currency}`
  const fix = total > 0 ? ` Charge them with: ${charge}.` : ''
  return `${dropped}${fix} To bill pending items when you cancel, use --invoice-now.`
}
