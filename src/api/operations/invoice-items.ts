import {
  createOneOffItem,
  deletedInvoiceItemSchema,
  deleteInvoiceItem,
  invoiceItemParams,
  invoiceItemSchema,
} from '../../domain/billing/invoice-items.ts'
import * as p from '../../domain/core/params.ts'
import { anyOf } from '../../domain/core/schema.ts'
import { effectiveTimeOf } from '../../engine/effective-time.ts'
import { loadPendingItems } from '../../engine/load-related.ts'
import { defineList } from '../core/lists.ts'
import { defineMutation, toDecision } from '../core/operation.ts'
import { defineRetrieve, idParams, requireById, requireUndeleted } from '../core/retrieve.ts'
import { EXAMPLE_IDS, EXAMPLE_INVOICE_ITEM } from './example-requests.ts'

/** Operations on invoice items: one-off fees and credits, and prorations. */
export const invoiceItems = {
  create: defineMutation({
    path: '/v1/invoice_items',
    summary: 'Adds a one-off fee or credit to the next invoice of a subscription.',
    description:
      'The item is pending until the next invoice of the subscription is created, which bills it before the regular items. A negative `unit_amount` is a credit. If the credits of an invoice are larger than its charges, the difference becomes credit of the customer for later invoices.',
    params: invoiceItemParams,
    response: invoiceItemSchema,
    example: { subscription: EXAMPLE_IDS.subscriptions, ...EXAMPLE_INVOICE_ITEM },
    load: async (reader, params) => {
      const subscription = await requireById(reader, 'subscriptions', params.subscription, 'subscription')
      const pending_customer = subscription.customer
      return { subscription, pendingItems: await loadPendingItems(reader, { pending_customer }) }
    },
    when: ({ subscription }) => effectiveTimeOf(subscription),
    decide: (account, { subscription: _id, ...fields }, context) =>
      toDecision(createOneOffItem(account, fields, context)),
  }),

  list: defineList('invoice_items', invoiceItemSchema, {
    description: 'Filter by customer, subscription, invoice or creation time. Deleted items are not listed.',
    filters: {
      customer: p.id('Only items of this customer.'),
      subscription: p.id('Only items of this subscription.'),
      invoice: p.id('Only items that this invoice bills.'),
    },
  }),

  retrieve: defineRetrieve('invoice_items', anyOf(invoiceItemSchema, deletedInvoiceItemSchema), {
    description:
      '`invoice` names the invoice that bills the item, and is null while the item is pending. For a deleted item, the response has only `id`, `object` and `deleted: true`.',
  }),

  delete: defineMutation({
    method: 'DELETE',
    path: '/v1/invoice_items/:id',
    summary: 'Deletes a pending invoice item.',
    description: 'An item that an invoice bills cannot be deleted.',
    params: idParams,
    response: deletedInvoiceItemSchema,
    load: (reader, params) => requireUndeleted(reader, 'invoice_items', params.id),
    when: effectiveTimeOf,
    decide: (item) => toDecision(deleteInvoiceItem(item)),
  }),
}
