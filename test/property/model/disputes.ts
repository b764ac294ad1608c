import { type ModelJob, RANK } from './billing.ts'
import { findModelCard } from './cards.ts'
import { runOnClock } from './rules.ts'
import { SavedCardModel } from './saved-cards.ts'
import type { Clock, Dispute, Payment, Refund, StepOutcome } from './state.ts'

const HOUR = 3600
const WEEK = 604_800

/** The evidence of an answer: its text, or null, and whether it is submitted. */
export interface ModelAnswer {
  readonly text: string | null
  readonly submits: boolean
}

/** The model of refunds and disputes. */
export abstract class DisputeModel extends SavedCardModel {
  readonly disputes: Dispute[] = []

  protected override jobs(clock: Clock): ModelJob[] {
    return [
      ...this.payments
        .filter((payment) => payment.customer.clock === clock && isDisputedByCard(payment))
        .map((payment) => ({
          ...{ at: payment.collectedAt, rank: RANK.dispute },
          run: () => this.#open(payment, leftOf(payment), cardDisputeOf(payment) === 'inquiry'),
        })),
      ...this.disputes
        .filter(({ payment, closed }) => payment.customer.clock === clock && closed === null)
        .map((dispute) => deadlineOf(dispute)),
      ...super.jobs(clock),
    ]
  }

  refund(payment: Payment, amount: number | null): StepOutcome {
    return runOnClock(payment.customer, () => {
      const asked = amount ?? leftOf(payment)
      if (payment.status !== 'succeeded' || asked === 0 || asked > leftOf(payment)) return 'refused'
      payment.refunded += asked
      this.refunds.push(refundOf(payment, asked))
      for (const dispute of this.disputes) {
        if (dispute.payment === payment && dispute.isInquiry && dispute.closed === null)
          close(dispute, 'warning_closed')
      }
      return 'ok'
    })
  }

  dispute(payment: Payment, amount: number | null, isInquiry: boolean): StepOutcome {
    return runOnClock(payment.customer, () => {
      const asked = amount ?? leftOf(payment)
      if (payment.status !== 'succeeded' || asked === 0 || asked > leftOf(payment)) return 'refused'
      this.#open(payment, asked, isInquiry)
      return 'ok'
    })
  }

  #open(payment: Payment, amount: number, isInquiry: boolean): void {
    payment.isDisputed = true
    if (!isInquiry) payment.withdrawn += amount
    this.disputes.push({
      ...{ payment, amount, isInquiry, text: null, submitted: null, closed: null },
      due: payment.customer.clock.now + WEEK,
      status: isInquiry ? 'warning_needs_response' : 'needs_response',
      funds: isInquiry ? 'none' : 'withdrawn',
    })
  }

  answer(dispute: Dispute, { text, submits }: ModelAnswer): StepOutcome {
    const { customer } = dispute.payment
    return runOnClock(customer, () => {
      const given = text ?? dispute.text
      if (!needsResponse(dispute) || (submits && given === null)) return 'refused'
      dispute.text = given
      if (!submits) return 'ok'
      dispute.submitted = customer.clock.now
      dispute.status = dispute.isInquiry ? 'warning_under_review' : 'under_review'
      return 'ok'
    })
  }

  accept(dispute: Dispute): StepOutcome {
    return runOnClock(dispute.payment.customer, () => {
      if (!needsResponse(dispute)) return 'refused'
      close(dispute, dispute.isInquiry ? 'warning_closed' : 'lost')
      return 'ok'
    })
  }
}

/** Returns whether a dispute waits for evidence. */
export function needsResponse({ status }: Dispute): boolean {
  return status === 'needs_response' || status === 'warning_needs_response'
}

function cardDisputeOf({ entered }: Payment) {
  return findModelCard(entered.alias).disputes
}

function isDisputedByCard(payment: Payment): boolean {
  const isCharged = payment.status === 'succeeded' && !payment.isDisputed && leftOf(payment) > 0
  return isCharged && cardDisputeOf(payment) !== null
}

function leftOf({ captured, refunded, withdrawn }: Payment): number {
  return captured - refunded - withdrawn
}

/** Returns the job that closes a dispute. */
function deadlineOf(dispute: Dispute): ModelJob {
  const { isInquiry, submitted, due, text } = dispute
  if (isInquiry) return { at: due, rank: RANK.disputeDue, run: () => close(dispute, 'warning_closed') }
  if (submitted === null) return { at: due, rank: RANK.disputeDue, run: () => close(dispute, 'lost') }
  const run = () => (text === 'winning_evidence' ? win(dispute) : close(dispute, 'lost'))
  return { at: submitted + HOUR, rank: RANK.dispute, run }
}

function win(dispute: Dispute): void {
  close(dispute, 'won')
  dispute.funds = 'reinstated'
  dispute.payment.withdrawn -= dispute.amount
}

function close(dispute: Dispute, status: Dispute['status']): void {
  dispute.status = status
  dispute.closed = dispute.payment.customer.clock.now
}

function refundOf(payment: Payment, amount: number): Refund {
  const { refund } = findModelCard(payment.entered.alias)
  const at = payment.customer.clock.now + (refund === 'settled days later' ? 72 * HOUR : HOUR)
  if (refund === 'settled') return { payment, amount, status: 'succeeded', settles: null }
  const as = refund === 'failed later' ? 'failed' : 'succeeded'
  return { payment, amount, status: as === 'failed' ? 'succeeded' : 'pending', settles: { at, as } }
}
