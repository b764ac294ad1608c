import type { InvoiceActionRecords } from '../../domain/billing/billing-cycle.ts'
import {
  completeInvoiceAuthentication,
  finalizeInvoice,
  payInvoice,
  requirePayableInvoice,
  voidInvoice,
  writeOffInvoice,
} from '../../domain/billing/invoice-actions.ts'
import { type Invoice, invoiceSchema } from '../../domain/billing/invoices.ts'
import {
  type InvoiceSubmissionResult,
  submitInvoicePayment,
} from '../../domain/completion/invoice-submission.ts'
import { type Decision, findLastChanged, type RuleContext } from '../../domain/core/changes.ts'
import * as p from '../../domain/core/params.ts'
import type { Authentication } from '../../domain/payments/authentications.ts'
import type { Payment } from '../../domain/payments/payments.ts'
import { loadInvoiceRecords } from '../../engine/load-billing.ts'
import { loadInvoiceVoidRecords } from '../../engine/load-subscription-change.ts'
import { getTimeReference } from '../../engine/time-reference.ts'
import { createFieldFilters, defineListOperation } from '../core/lists.ts'
import { defineWriteOperation } from '../core/operation.ts'
import {
  createTimeReferenceLoader,
  defineRetrieveOperation,
  idParams,
  requireById,
} from '../core/retrieve.ts'
import { loadCustomerCard } from './customer-cards.ts'
import { EXAMPLE_IDS } from './example-requests.ts'
import {
  createMissingCardError,
  listCardParamErrors,
  listDuplicateCardErrors,
  runWithCardParamErrors,
  type TestCardParams,
  testCardParams,
  toEnteredCard,
} from './test-card-params.ts'

/** Operations on invoices. */
export const invoices = {
  list: defineListOperation('invoices', invoiceSchema, {
    description:
      'Filter by customer, subscription, status, due date or creation time, such as `status=open` for all open invoices.',
    filters: createFieldFilters(invoiceSchema, {
      customer: 'Only invoices of this customer.',
      subscription: 'Only invoices of this subscription.',
      status: 'Only invoices with this status.',
    }),
    ranges: ['created', 'due_date'],
  }),
  retrieve: defineRetrieveOperation('invoices', invoiceSchema, {
    description:
      'All amounts are in minor units of `currency`. `next_payment_attempt` is the Unix time of the next automatic charge, or null if no charge is planned.',
  }),

  finalize: defineWriteOperation({
    path: '/v1/invoices/:id/finalize',
    summary: 'Finalizes a draft invoice.',
    description:
      'Assigns the invoice number and sets `status` to `open`. Invoices of live subscriptions are finalized automatically; invoices of a subscription that is unpaid or whose collection is paused stay drafts until you finalize them. With `auto_advance: true` the card is charged immediately. A decline is not an error: the response has `last_payment_error`, and retries follow.',
    params: p.shape(
      { id: p.id('The id of the invoice.') },
      {
        auto_advance: p.boolean(
          'Charge the card immediately, and retry after a decline (default: false). Not for canceled subscriptions.',
        ),
      },
    ),
    response: invoiceSchema,
    example: { auto_advance: true },
    load: async (reader, params) =>
      loadInvoiceRecords(reader, await requireById(reader, 'invoices', params.id)),
    when: ({ invoice }) => getTimeReference(invoice),
    decide: (records, { id: _id, ...options }, context) => finalizeInvoice(records, options, context),
  }),

  pay: defineWriteOperation({
    path: '/v1/invoices/:id/pay',
    summary: 'Pays an open or uncollectible invoice.',
    description:
      'Charges the given card (default: the card of the subscription, otherwise of the customer). A decline returns 402 and records a failed payment. With `paid_out_of_band: true` no card is charged. The schedule of automatic retries does not change. After a direct debit, the invoice is open until the outcome, and further payments of the invoice return 409 `payment_processing`.',
    params: p.shape(
      { id: p.id('The id of the invoice.') },
      {
        payment_method: p.id('Card to charge (default: the card of the subscription, else of the customer).'),
        paid_out_of_band: p.boolean(
          'Mark the invoice as paid outside paycli, without a charge. Invoices of deleted customers can only be paid this way.',
        ),
        off_session: p.boolean('Whether the customer is absent and cannot authenticate (default: true).'),
      },
    ),
    response: invoiceSchema,
    example: { payment_method: EXAMPLE_IDS.payment_methods },
    mayDecline: true,
    validate: ({ paid_out_of_band, payment_method }) => {
      if (paid_out_of_band !== true || payment_method === undefined) return []
      const message = 'Give payment_method or paid_out_of_band, not both.'
      return [{ code: 'parameters_exclusive', param: 'payment_method', message }]
    },
    load: async (reader, params) => {
      const invoice = await requireById(reader, 'invoices', params.id)
      const card = await loadCustomerCard(reader, invoice.customer, {
        param: 'payment_method',
        id: params.payment_method,
      })
      return { records: await loadInvoiceRecords(reader, invoice), card }
    },
    when: ({ records }) => getTimeReference(records.invoice),
    decide: ({ records, card }, params, context) => {
      const isOutOfBand = params.paid_out_of_band ?? false
      return payInvoice(records, { card, isOutOfBand, isOffSession: params.off_session ?? true }, context)
    },
  }),

  // Pays an invoice without a browser, by the same rules as its hosted page.
  payAsCustomer: defineWriteOperation({
    path: '/v1/test_helpers/invoices/:id/pay_as_customer',
    summary: 'Pays an open invoice with a test card that the customer enters.',
    description:
      'A test helper that submits a card without a browser, with the same effects and events as `hosted_invoice_url`. Give `card` or `test_card`. With `keep` the card is saved and becomes the card of the subscription. A decline returns 402, records a failed payment and saves no card.',
    params: p.shape(
      { id: p.id('The id of the invoice.') },
      {
        ...testCardParams,
        keep: p.boolean('Save the card and use it for the subscription (default: false).'),
      },
    ),
    response: invoiceSchema,
    example: { test_card: 'visa', keep: true },
    mayDecline: true,
    validate: (params, { now }) => [...listDuplicateCardErrors(params), ...listCardParamErrors(params, now)],
    loadTime: createTimeReferenceLoader('invoices'),
    load: async (reader, { id }) => loadInvoiceRecords(reader, await requireById(reader, 'invoices', id)),
    when: ({ invoice }) => getTimeReference(invoice),
    decide: (records, params, context) => {
      requirePayableInvoice(records)
      const card = toEnteredCard(params, context)
      if (card === null) throw createMissingCardError(`pay invoice '${records.invoice.id}'`)
      const entered = { card, keep: params.keep ?? false }
      const submitted = runWithCardParamErrors(params, () => submitInvoicePayment(records, entered, context))
      return authenticateIfRequired(submitted, records, params, context)
    },
  }),

  void: defineWriteOperation({
    path: '/v1/invoices/:id/void',
    summary: 'Voids an invoice.',
    description:
      'Use this operation for an invoice that was created by mistake. Only draft, open and uncollectible invoices can be voided, and a void invoice stays void. An authentication in progress for the invoice is canceled. Credit that the invoice used is returned to the customer, unless the customer was deleted. If a change of the subscription credited a part of the invoice, the next invoice charges that part again.',
    params: idParams,
    response: invoiceSchema,
    load: async (reader, params) =>
      loadInvoiceVoidRecords(reader, await requireById(reader, 'invoices', params.id)),
    when: ({ invoice }) => getTimeReference(invoice),
    decide: (records, _params, context) => voidInvoice(records, context),
  }),

  markUncollectible: defineWriteOperation({
    path: '/v1/invoices/:id/mark_uncollectible',
    summary: 'Marks an open invoice as uncollectible.',
    description:
      'Use this operation to write off a debt: automatic collection stops and `status` becomes `uncollectible`. The invoice can still be paid or voided later.',
    params: idParams,
    response: invoiceSchema,
    load: async (reader, params) =>
      loadInvoiceRecords(reader, await requireById(reader, 'invoices', params.id)),
    when: ({ invoice }) => getTimeReference(invoice),
    decide: (records, _params, context) => writeOffInvoice(records, context),
  }),
}

// Approves or rejects 3-D Secure for the cardholder in the same transaction.
function authenticateIfRequired(
  submitted: Decision<InvoiceSubmissionResult>,
  records: InvoiceActionRecords,
  { three_d_secure }: TestCardParams,
  context: RuleContext,
): Decision<Invoice> {
  if (!('result' in submitted)) return submitted
  const { changes, result } = submitted
  if (result.kind === 'done') return { changes, result: result.invoice }
  const pending: InvoiceActionRecords = {
    ...records,
    invoice: findLastChanged<Invoice>(changes, 'invoice') ?? records.invoice,
    history: {
      ...records.history,
      authentication: findLastChanged<Authentication>(changes, 'authentication'),
      pendingPayment: findLastChanged<Payment>(changes, 'payment'),
    },
  }
  const completed = completeInvoiceAuthentication(pending, three_d_secure !== 'reject', context)
  return { ...completed, changes: [...changes, ...completed.changes] }
}
