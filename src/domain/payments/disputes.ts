import type { DisputeBehavior } from '../cards/test-cards.ts'
import { type Change, type ObjectUpdate, type RuleContext, toCreation, toUpdate } from '../core/changes.ts'
import { formatAmount } from '../core/currencies.ts'
import { DomainError, requireStatus } from '../core/domain-error.ts'
import { MAX_PAYMENT_AMOUNT } from '../core/money.ts'
import * as p from '../core/params.ts'
import * as s from '../core/schema.ts'
import { findTestCardDispute } from './payment-deadlines.ts'
import type { Payment } from './payments.ts'
import { getRefundableAmount } from './refundable-amount.ts'

const DISPUTE_REASONS = [
  'credit_not_processed',
  'duplicate',
  'fraudulent',
  'general',
  'product_not_received',
  'product_unacceptable',
  'subscription_canceled',
  'unrecognized',
] as const

/** The statuses of disputes; the statuses of inquiries start with `warning_`. */
const DISPUTE_STATUSES = [
  'needs_response',
  'under_review',
  'won',
  'lost',
  'warning_needs_response',
  'warning_under_review',
  'warning_closed',
] as const

/** The schema of a dispute. */
export const disputeSchema = s.resourceObject('dispute', 'An objection of the cardholder to a payment.', {
  payment: s.id('The disputed payment.'),
  customer: s.id('The customer of the payment.'),
  invoice: s.nullable(s.id('The invoice that the payment pays; null if the payment pays no invoice.')),
  amount: s.amount('The disputed amount.'),
  currency: s.currencyCode('The currency of the payment.'),
  reason: s.enumOf(DISPUTE_REASONS, 'The reason that the cardholder gave.'),
  status: s.enumOf(
    DISPUTE_STATUSES,
    'The state of the dispute: it waits for your evidence, the bank reviews it, or it has ended. The statuses of an inquiry start with `warning_`.',
  ),
  evidence: s.object(
    {
      text: s.nullable(s.text('Your evidence; null if you gave no evidence.')),
      submitted_at: s.nullable(s.timestamp('Time at which you submitted the evidence; null if you did not.')),
    },
    'Your evidence that the payment is valid.',
  ),
  evidence_due_by: s.timestamp(
    'Time at which the dispute is lost or the inquiry is closed if you submit no evidence.',
  ),
  funds: s.enumOf(
    ['none', 'withdrawn', 'reinstated'],
    'Whether the bank withdrew the amount from you, and paid it back because you won. An inquiry moves no money.',
  ),
  closed_at: s.nullable(s.timestamp('Time at which the dispute was closed; null while it is open.')),
  ...s.metadataAndClockProperties,
})

export type Dispute = s.ValueOf<typeof disputeSchema>

/** The parameters of a simulated dispute. */
export const openDisputeParams = p.shape(
  {
    id: p.id('The id of the payment.'),
    reason: p.choice(DISPUTE_REASONS, 'Reason that the cardholder gives.'),
  },
  {
    amount: p.integer(
      {
        min: 1,
        max: MAX_PAYMENT_AMOUNT,
        errorCodes: { minimum: 'amount_too_small', maximum: 'dispute_amount_too_large' },
      },
      'Amount in minor units (default: the remaining amount of the payment).',
    ),
    inquiry: p.boolean('Whether to open an inquiry, which withdraws no money (default: false).'),
  },
)

/** The reason and amount of a new dispute. */
export type OpenDisputeParams = Omit<s.ValueOf<typeof openDisputeParams>, 'id'>

/** The parameters of an update of a dispute. */
export const disputeUpdateParams = p.shape(
  { id: p.id('The id of the dispute.') },
  {
    evidence: p.shape(
      {
        text: p.text(
          20_000,
          'Evidence. `winning_evidence` wins the dispute an hour after its submission; any other text loses it.',
        ),
      },
      {},
      'Evidence that the payment is valid.',
    ),
    submit: p.boolean(
      'Whether to submit the evidence, which is then final (default: true). With false, the evidence is only saved.',
    ),
  },
)

export type DisputeUpdateParams = Omit<s.ValueOf<typeof disputeUpdateParams>, 'id'>

const DAY = 86_400
const EVIDENCE_SECONDS = 7 * DAY
const REVIEW_SECONDS = 3600
const NEEDS_RESPONSE = ['needs_response', 'warning_needs_response'] as const
const WINNING_EVIDENCE = 'winning_evidence'
/** Limits the changes of a refund, because a refund closes all open inquiries of its payment. */
const MAX_OPEN_INQUIRIES = 100

interface DisputeResult {
  readonly changes: Change[]
  readonly result: Dispute
}

/**
 * Opens a dispute of a succeeded payment and withdraws the disputed amount (default: the remaining amount). An inquiry
 * withdraws nothing. Throws when the amount exceeds the remaining amount.
 */
export function openDispute(
  payment: Payment,
  fields: OpenDisputeParams,
  context: RuleContext,
): DisputeResult {
  const amount = disputeAmount(payment, fields.amount)
  const { reason, inquiry = false } = fields
  const disputed = setAmountDisputed(payment, payment.amount_disputed + (inquiry ? 0 : amount))
  const created = toCreation<Dispute>('dispute.created', {
    id: context.newId('dp_'),
    object: 'dispute',
    created: context.now,
    livemode: false,
    payment: payment.id,
    customer: payment.customer,
    invoice: payment.invoice,
    amount,
    currency: payment.currency,
    reason,
    status: inquiry ? 'warning_needs_response' : 'needs_response',
    evidence: { text: null, submitted_at: null },
    evidence_due_by: context.now + EVIDENCE_SECONDS,
    funds: 'none',
    closed_at: null,
    metadata: {},
    test_clock: payment.test_clock,
  })
  if (inquiry) return { changes: [...disputed, created], result: created.after }
  const withdrawn = moveFunds(created.after, 'withdrawn')
  return { changes: [...disputed, created, withdrawn], result: withdrawn.after }
}

/** Throws when a payment with these open inquiries cannot have another inquiry. */
export function requireInquiryCapacity({ id }: Payment, open: readonly Dispute[]): void {
  if (open.length < MAX_OPEN_INQUIRIES) return
  throw new DomainError(
    'inquiry_limit',
    `Payment '${id}' has ${open.length} open inquiries, which is the limit. Close one with POST /v1/disputes/${open[0]?.id}/close.`,
  )
}

/** Opens the dispute of a payment with a test card whose payments are disputed. */
export function openTestCardDispute(payment: Payment, context: RuleContext): Change[] {
  const behavior: DisputeBehavior | null = findTestCardDispute(payment)
  return behavior === null ? [] : openDispute(payment, behavior, context).changes
}

function disputeAmount(payment: Payment, requested: number | undefined): number {
  const { id, status, currency } = payment
  if (status !== 'succeeded') {
    throw new DomainError(
      'payment_unexpected_state',
      `Cannot dispute payment '${id}': its status is ${status}, and only succeeded payments can be disputed.`,
    )
  }
  const remaining = getRefundableAmount(payment)
  if (remaining === 0) {
    const [code, state] = payment.refunded
      ? ['payment_already_refunded', 'refunded']
      : ['payment_disputed', 'refunded or disputed']
    const message = `Cannot dispute payment '${id}': it is already ${state} in full. Choose another payment with GET /v1/payments?status=succeeded.`
    throw new DomainError(code, message)
  }
  if (requested === undefined || requested <= remaining) return requested ?? remaining
  throw new DomainError(
    'dispute_amount_too_large',
    `Dispute of ${formatAmount(requested, currency)} exceeds the remaining ${formatAmount(remaining, currency)} of payment '${id}'. Use at most ${remaining}, in minor units.`,
    { param: 'amount', skipMasking: true },
  )
}

function moveFunds(dispute: Dispute, funds: 'withdrawn' | 'reinstated'): ObjectUpdate<Dispute> {
  return toUpdate(`dispute.funds_${funds}`, dispute, { ...dispute, funds })
}

/** Saves evidence and submits it unless `submit` is false. Throws when the dispute no longer needs a response. */
export function updateDisputeEvidence(
  dispute: Dispute,
  { evidence, submit = true }: DisputeUpdateParams,
  context: RuleContext,
): DisputeResult {
  requireStatus(dispute, NEEDS_RESPONSE, 'update')
  const text = evidence?.text ?? dispute.evidence.text
  if (submit && text === null) {
    throw new DomainError(
      'parameter_missing',
      `Cannot submit dispute '${dispute.id}': it has no evidence. Give evidence[text], or accept the dispute with POST /v1/disputes/${dispute.id}/close.`,
      { param: 'evidence' },
    )
  }
  if (!submit && text === dispute.evidence.text) return { changes: [], result: dispute }
  const status = isInquiry(dispute) ? 'warning_under_review' : 'under_review'
  const updated = toUpdate('dispute.updated', dispute, {
    ...dispute,
    status: submit ? status : dispute.status,
    evidence: { text, submitted_at: submit ? context.now : null },
  })
  return { changes: [updated], result: updated.after }
}

/** Accepts a dispute, which is then lost, or closes an inquiry. Throws when the dispute no longer needs a response. */
export function acceptDispute(dispute: Dispute, context: RuleContext): ObjectUpdate<Dispute> {
  requireStatus(dispute, NEEDS_RESPONSE, 'close')
  return endDispute(dispute, isInquiry(dispute) ? 'warning_closed' : 'lost', context)
}

function endDispute(
  dispute: Dispute,
  status: 'won' | 'lost' | 'warning_closed',
  context: RuleContext,
): ObjectUpdate<Dispute> {
  return toUpdate('dispute.closed', dispute, { ...dispute, status, closed_at: context.now })
}

/** Closes open inquiries of a payment, because the payment was refunded. */
export function closeInquiries(inquiries: readonly Dispute[], context: RuleContext): Change[] {
  return inquiries.map((inquiry) => endDispute(inquiry, 'warning_closed', context))
}

/**
 * Returns the next job of a dispute with its due time in Unix seconds. The job is the decision of the bank an hour
 * after the submission, or the deadline of the evidence. Returns null when the dispute is closed.
 */
export function findNextDisputeJob(
  dispute: Dispute,
): { readonly job: 'disputeDecision' | 'evidenceDeadline'; readonly at: number } | null {
  const { status, evidence, evidence_due_by, closed_at } = dispute
  if (closed_at !== null) return null
  return status === 'under_review' && evidence.submitted_at !== null
    ? { job: 'disputeDecision', at: evidence.submitted_at + REVIEW_SECONDS }
    : { job: 'evidenceDeadline', at: evidence_due_by }
}

/**
 * Closes a dispute at the time of its decision or evidence deadline. Winning evidence reinstates the funds; any other
 * evidence, or no evidence, loses the dispute. An inquiry moves no money.
 */
export function decideDispute(dispute: Dispute, payment: Payment, context: RuleContext): Change[] {
  if (isInquiry(dispute)) return [endDispute(dispute, 'warning_closed', context)]
  const isWon = dispute.evidence.submitted_at !== null && dispute.evidence.text === WINNING_EVIDENCE
  if (!isWon) return [endDispute(dispute, 'lost', context)]
  const closed = endDispute(dispute, 'won', context)
  return [
    closed,
    moveFunds(closed.after, 'reinstated'),
    ...setAmountDisputed(payment, payment.amount_disputed - dispute.amount),
  ]
}

function isInquiry({ status }: Dispute): boolean {
  return status.startsWith('warning_')
}

/** Marks a payment as disputed and sets the disputed amount in minor units; empty if both values are unchanged. */
function setAmountDisputed(payment: Payment, amountDisputed: number): ObjectUpdate<Payment>[] {
  if (payment.disputed && payment.amount_disputed === amountDisputed) return []
  return [
    toUpdate('payment.updated', payment, {
      ...payment,
      amount_disputed: amountDisputed,
      disputed: true,
    }),
  ]
}
