import type { Dispute } from '../../domain/payments/disputes.ts'
import { createClockTimeLookup, type Invariant } from './snapshot.ts'

const HOUR = 3600
const WEEK = 604_800

/**
 * P51: the disputed amount of a payment sums its disputes with withdrawn funds; `disputed` is true only with a dispute.
 */
export const disputesAddUp: Invariant = function* ({ records }) {
  const disputesOf = Map.groupBy(records.disputes, ({ payment }) => payment)
  for (const { id, status, amount_disputed, disputed } of records.payments) {
    const own = disputesOf.get(id) ?? []
    const withdrawn = own
      .filter(({ funds }) => funds === 'withdrawn')
      .reduce((sum, { amount }) => sum + amount, 0)
    if (withdrawn !== amount_disputed)
      yield `${id}: ${amount_disputed} disputed, but its disputes withdrew ${withdrawn}`
    if (disputed !== own.length > 0) yield `${id}: disputed is ${disputed} with ${own.length} disputes`
    if (own.length > 0 && status !== 'succeeded') yield `${id}: ${status}, but disputed`
  }
  const payments = new Map(records.payments.map((payment) => [payment.id, payment]))
  for (const { id, payment, customer, invoice, amount, status, funds } of records.disputes) {
    const owner = payments.get(payment)
    if (owner?.customer !== customer || owner.invoice !== invoice) yield `${id}: differs from its payment`
    if (amount === 0) yield `${id}: its amount is 0`
    if (funds !== fundsFor(status)) yield `${id}: ${status}, but its funds are ${funds}`
  }
}

function fundsFor(status: Dispute['status']): Dispute['funds'] {
  if (status.startsWith('warning_')) return 'none'
  return status === 'won' ? 'reinstated' : 'withdrawn'
}

/** P52: a dispute is closed an hour after its evidence was submitted, or when the evidence is due a week after its creation. */
export const disputesCloseInTime: Invariant = function* (snapshot) {
  const timeOf = createClockTimeLookup(snapshot)
  for (const { id, created, status, evidence, evidence_due_by, closed_at, test_clock } of snapshot.records
    .disputes) {
    const { text, submitted_at } = evidence
    if (evidence_due_by !== created + WEEK) yield `${id}: its evidence is due by ${evidence_due_by}`
    const isReviewed = submitted_at !== null && !status.startsWith('warning_')
    const deadline = isReviewed ? submitted_at + HOUR : evidence_due_by
    if (submitted_at !== null && (text === null || submitted_at > evidence_due_by))
      yield `${id}: submitted ${text} at ${submitted_at}`
    const isOpen = status.endsWith('needs_response') || status.endsWith('under_review')
    if (isOpen !== (closed_at === null)) yield `${id}: ${status}, but closed at ${closed_at}`
    if (isOpen && (timeOf(test_clock) ?? 0) >= deadline) yield `${id}: ${status} after ${deadline}`
    if (closed_at !== null && closed_at > deadline) yield `${id}: closed at ${closed_at}, after ${deadline}`
    if (isReviewed && closed_at !== null && closed_at !== deadline)
      yield `${id}: decided at ${closed_at}, not at ${deadline}`
    if (status === 'won' && text !== 'winning_evidence') yield `${id}: won with ${text}`
  }
}
