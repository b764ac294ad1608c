import {
  acceptDispute,
  disputeSchema,
  disputeUpdateParams,
  updateDisputeEvidence,
} from '../../domain/payments/disputes.ts'
import { getTimeReference } from '../../engine/time-reference.ts'
import { createFieldFilters, defineListOperation } from '../core/lists.ts'
import { createChangeDecision, defineWriteOperation } from '../core/operation.ts'
import { defineRetrieveOperation, idParams, requireById } from '../core/retrieve.ts'

/** Operations on disputes. `payments.dispute` opens a dispute. */
export const disputes = {
  list: defineListOperation('disputes', disputeSchema, {
    description: 'Filter by payment, customer, status or creation time. Inquiries are disputes too.',
    filters: createFieldFilters(disputeSchema, {
      payment: 'Only disputes of this payment.',
      customer: 'Only disputes of this customer.',
      status: 'Only disputes with this status.',
    }),
  }),

  retrieve: defineRetrieveOperation('disputes', disputeSchema, {
    description:
      '`status` shows whether the dispute needs your response until `evidence_due_by`, and `funds` whether its amount is withdrawn.',
  }),

  update: defineWriteOperation({
    path: '/v1/disputes/:id',
    summary: 'Saves or submits evidence for a dispute.',
    description:
      'Submitted evidence is final. An hour later, the text `winning_evidence` wins the dispute and its funds are reinstated; any other text loses it. An inquiry stays open until `evidence_due_by` and has no result.',
    params: disputeUpdateParams,
    response: disputeSchema,
    example: { evidence: { text: 'winning_evidence' }, submit: true },
    load: (reader, { id }) => requireById(reader, 'disputes', id),
    when: getTimeReference,
    decide: (dispute, fields, context) => updateDisputeEvidence(dispute, fields, context),
  }),

  close: defineWriteOperation({
    path: '/v1/disputes/:id/close',
    summary: 'Accepts a dispute, which is then lost.',
    description:
      'The amount stays withdrawn. An inquiry ends without a result. Only a dispute that needs a response can be closed.',
    params: idParams,
    response: disputeSchema,
    load: (reader, { id }) => requireById(reader, 'disputes', id),
    when: getTimeReference,
    decide: (dispute, _params, context) => createChangeDecision(acceptDispute(dispute, context)),
  }),
}
