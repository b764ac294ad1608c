import type { ParamsOf } from '../../../api/core/operation.ts'
import {
  checkoutSessions,
  customers,
  disputes,
  invoiceItems,
  invoices,
  paymentSessions,
  payments,
  refunds,
  subscriptions,
  webhookDeliveries,
} from '../../../api/index.ts'
import type { CustomerResourceTable } from '../../../api/resources/catalog.ts'
import type { Client } from '../../../client/client.ts'
import type { CallableOperation } from '../../../client/request.ts'
import type { WebhookDelivery } from '../../../domain/events/webhook-deliveries.ts'
import { listObjects } from '../../request/paginate.ts'

const MAX_OBJECTS = 10_000

/**
 * The lists whose objects are compared; null for objects without cost for the customer. Saved cards, test clocks, and
 * the records of webhooks, requests and access cost nothing.
 */
const LISTS = {
  payments: payments.list,
  refunds: refunds.list,
  disputes: disputes.list,
  subscriptions: subscriptions.list,
  invoices: invoices.list,
  invoice_items: invoiceItems.list,
  payment_sessions: paymentSessions.list,
  checkout_sessions: checkoutSessions.list,
  customers: customers.list,
  card_sessions: null,
  portal_sessions: null,
  payment_methods: null,
} as const satisfies CustomerResourceTable<CallableOperation | null>

/** Reads the objects of a sandbox by resource, oldest first. */
export async function readSandboxObjects(client: Client): Promise<Record<string, readonly object[]>> {
  const lists = Object.entries(LISTS).map(async ([resource, operation]) => {
    if (operation === null) return []
    const { found } = await listObjects(client, operation, {}, MAX_OBJECTS)
    return [[resource, found.toReversed()] as const]
  })
  return Object.fromEntries((await Promise.all(lists)).flat())
}

/** Reads the delivery attempts of a sandbox that match a filter (default: all), oldest first. */
export async function readDeliveryAttempts(
  client: Client,
  filter: ParamsOf<typeof webhookDeliveries.list> = {},
): Promise<readonly WebhookDelivery[]> {
  const { found } = await listObjects(client, webhookDeliveries.list, filter, MAX_OBJECTS)
  return found.toReversed()
}
