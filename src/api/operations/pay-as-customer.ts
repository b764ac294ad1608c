import type { InvoiceRecords } from '../../domain/billing/billing-cycle.ts'
import { completeInvoiceAuthentication, requirePayable } from '../../domain/billing/invoice-actions.ts'
import { type Invoice, invoiceSchema } from '../../domain/billing/invoices.ts'
import {
  type InvoiceSubmissionResult,
  submitInvoicePayment,
} from '../../domain/completion/invoice-submission.ts'
import { type Decision, findLastChanged, type RuleContext } from '../../domain/core/changes.ts'
import * as p from '../../domain/core/params.ts'
import type { Authentication } from '../../domain/payments/authentications.ts'
import type { Payment } from '../../domain/payments/payments.ts'
import { effectiveTimeOf } from '../../engine/effective-time.ts'
import { loadInvoiceRecords } from '../../engine/load-billing.ts'
import { defineMutation } from '../core/operation.ts'
import { loadTimeOf, requireById } from '../core/retrieve.ts'
import {
  cardMissingError,
  renameErrorParams,
  type TestCardParams,
  testCardParams,
  toEnteredCard,
  validateExclusiveCards,
  validateTestCard,
} from './test-card-params.ts'

/** Pays an invoice without a browser, by the same rules as its hosted page. */
export const payInvoiceAsCustomer = defineMutation({
  path: '/v1/test_helpers/invoices/:id/pay_as_customer',
  summary: 'Pays an open invoice with a test card that the customer enters.',
  description:
    'A test helper that submits a card without a browser, with the same effects and events as `hosted_invoice_url`. Give `card` or `test_card`. With `keep` the card is saved and becomes the card of the subscription. A decline returns 402, records a failed payment and saves no card.',
  params: p.shape(
    { id: p.id('The id of the invoice.') },
    {
      ...testCardParams,
      keep: p.boolean('Use the card from now on, as with the checkbox of the page (default: false).'),
    },
  ),
  response: invoiceSchema,
  example: { test_card: 'visa', keep: true },
  mayDecline: true,
  validate: (params, { now }) => [...validateExclusiveCards(params), ...validateTestCard(params, now)],
  loadTime: loadTimeOf('invoices'),
  load: async (reader, { id }) => loadInvoiceRecords(reader, await requireById(reader, 'invoices', id)),
  when: ({ invoice }) => effectiveTimeOf(invoice),
  decide: (records, params, context) => {
    requirePayable(records)
    const card = toEnteredCard(params, context)
    if (card === null) throw cardMissingError(`pay invoice '${records.invoice.id}'`)
    const entered = { card, keep: params.keep ?? false }
    const submitted = renameErrorParams(params, () => submitInvoicePayment(records, entered, context))
    return authenticateIfRequired(submitted, records, params, context)
  },
})

// The API caller also approves or rejects for the cardholder in 3-D Secure, in the same transaction.
function authenticateIfRequired(
  submitted: Decision<InvoiceSubmissionResult>,
  records: InvoiceRecords,
  { three_d_secure }: TestCardParams,
  context: RuleContext,
): Decision<Invoice> {
  if (!('result' in submitted)) return submitted
  const { changes, result } = submitted
  if (result.kind === 'done') return { changes, result: result.invoice }
  const pending: InvoiceRecords = {
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
