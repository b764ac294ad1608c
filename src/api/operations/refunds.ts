import { closeInquiries } from '../../domain/payments/disputes.ts'
import { createRefund, refundParams, refundSchema } from '../../domain/payments/refunds.ts'
import { loadOpenInquiries } from '../../engine/load-related.ts'
import { getTimeReference } from '../../engine/time-reference.ts'
import { createFieldFilters, defineListOperation } from '../core/lists.ts'
import { defineWriteOperation } from '../core/operation.ts'
import { defineRetrieveOperation, requireById } from '../core/retrieve.ts'
import { EXAMPLE_IDS } from './example-requests.ts'

/** Operations on refunds. */
export const refunds = {
  create: defineWriteOperation({
    path: '/v1/refunds',
    summary: 'Refunds a succeeded payment, in part or in full.',
    description:
      'Without `amount`, refunds the remaining amount of the payment. Several partial refunds are possible up to the amount of the payment. Amounts that disputes withdrew cannot be refunded. A refund closes the inquiries about the payment. It does not cancel the subscription or reopen the invoice.',
    params: refundParams,
    response: refundSchema,
    example: { payment: EXAMPLE_IDS.payments, amount: 500, reason: 'requested_by_customer' },
    load: async (reader, params) => {
      const payment = await requireById(reader, 'payments', params.payment, 'payment')
      return { payment, inquiries: await loadOpenInquiries(reader, payment) }
    },
    when: ({ payment }) => getTimeReference(payment),
    decide: ({ payment, inquiries }, { payment: _id, ...fields }, context) => {
      const { changes, result } = createRefund(payment, fields, context)
      return { changes: [...changes, ...closeInquiries(inquiries, context)], result }
    },
  }),

  list: defineListOperation('refunds', refundSchema, {
    description: 'Filter by `payment` to see all refunds of one payment.',
    filters: createFieldFilters(refundSchema, { payment: 'Only refunds of this payment.' }),
  }),

  retrieve: defineRetrieveOperation('refunds', refundSchema, {
    description:
      '`status` is `pending` while the card network processes the refund, then `succeeded`. A succeeded refund can still become `failed`; `failure_reason` explains it.',
  }),
}
