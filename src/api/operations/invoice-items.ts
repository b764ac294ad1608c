import {
  createOneOffItem,
  deletedInvoiceItemSchema,
  deleteInvoiceItem,
  invoiceItemParams,
  invoiceItemSchema,
} from '../../domain/billing/invoice-items.ts'
import { anyOf } from '../../domain/core/schema.ts'
import { loadPendingInvoiceItems } from '../../engine/load-related.ts'
import { getTimeReference } from '../../engine/time-reference.ts'
import { createFieldFilters, defineListOperation } from '../core/lists.ts'
import { createChangeDecision, defineWriteOperation } from '../core/operation.ts'
import { defineRetrieveOperation, idParams, requireById, requireUndeleted } from '../core/retrieve.ts'
import { EXAMPLE_IDS } from './example-requests.ts'

/** Operations on invoice items: one-off fees and credits, and prorations. */
export const invoiceItems = {
  create: defineWriteOperation({
    path: '/v1/invoice_items',
    summary: 'Adds a one-off fee or credit to the next invoice of a subscription.',
    description:
      'The item is pending until the next invoice of the subscription is created, which bills it before the regular items. A negative `unit_amount` is a credit. If the credits of an invoice are larger than its charges, the difference becomes credit of the customer for later invoices.',
    params: invoiceItemParams,
    response: invoiceItemSchema,
    example: {
      subscription: EXAMPLE_IDS.subscriptions,
      description: 'Replacement key',
      unit_amount: 2500,
      quantity: 2,
      tax_percent: 20,
    },
    load: async (reader, params) => {
      const subscription = await requireById(reader, 'subscriptions', params.subscription, 'subscription')
      const pending_customer = subscription.customer
      return { subscription, pendingItems: await loadPendingInvoiceItems(reader, { pending_customer }) }
    },
    when: ({ subscription }) => getTimeReference(subscription),
    decide: (account, { subscription: _id, ...fields }, context) =>
      createChangeDecision(createOneOffItem(account, fields, context)),
  }),

  list: defineListOperation('invoice_items', invoiceItemSchema, {
    description: 'Filter by customer, subscription, invoice or creation time. Deleted items are not listed.',
    filters: createFieldFilters(invoiceItemSchema, {
      customer: 'Only items of this customer.',
      subscription: 'Only items of this subscription.',
      invoice: 'Only items that this invoice bills.',
    }),
  }),

  retrieve: defineRetrieveOperation('invoice_items', anyOf(invoiceItemSchema, deletedInvoiceItemSchema), {
    description:
      '`invoice` names the invoice that bills the item, and is null while the item is pending. For a deleted item, the response has only `id`, `object` and `deleted: true`.',
  }),

  delete: defineWriteOperation({
    method: 'DELETE',
    path: '/v1/invoice_items/:id',
    summary: 'Deletes a pending invoice item.',
    description: 'An item that an invoice bills cannot be deleted.',
    params: idParams,
    response: deletedInvoiceItemSchema,
    load: (reader, params) => requireUndeleted(reader, 'invoice_items', params.id),
    when: getTimeReference,
    decide: (item) => createChangeDecision(deleteInvoiceItem(item)),
  }),
}
