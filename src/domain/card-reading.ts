import { type CardFields, checkCard, checkCardName, isExpiredCard, parseCard } from './card-checks.ts'
import type { RuleContext } from './changes.ts'
import { adviceFor, declineMessage } from './declines.ts'
import { DomainError, refuseProblems } from './domain-error.ts'
import type { CardDetails } from './payment-methods.ts'
import type { Failure, Payment } from './payments.ts'
import { cardByBehavior, findCard, type Issuer, issuerOnSaving, issuerOnSession } from './test-cards.ts'

/** A card as the issuer knows it; the number itself is gone by now. */
export interface Submission {
  readonly card: CardDetails
  readonly issuer: Issuer
  readonly name: string | null
}

type Decline = Extract<Issuer, { kind: 'decline' }>

/**
 * Reads a card as it was typed and keeps nothing of its number but brand, last four and a keyed fingerprint. Faults in
 * how it is written are refused all at once; for a number that is no test card it gives the decline, so that nothing of
 * anybody's real card is ever kept. `isSaving` asks the issuer for a check of amount zero instead of a charge.
 */
export function readCard(
  fields: CardFields & { readonly name?: string | null },
  isSaving: boolean,
  context: RuleContext,
): Submission | DomainError {
  refuseProblems([...checkCard(fields, context.now), ...checkCardName(fields.name ?? '')])
  const entered = parseCard(fields)
  const known = findCard(entered.number)
  const issuer = isSaving ? issuerOnSaving(entered.number) : issuerOnSession(entered.number)
  if (known === undefined) return declineRefusal(cardFailure(issuer as Decline), null)
  return {
    card: {
      brand: known.brand,
      last4: known.number.slice(-4),
      exp_month: entered.exp_month,
      exp_year: entered.exp_year,
      funding: known.funding,
      country: known.country,
      fingerprint: context.fingerprint(known.number),
      test_behavior: known.test_behavior,
    },
    issuer,
    name: fields.name || null,
  }
}

/** What becomes of a charge that the buyer rejected in 3-D Secure. */
export const REJECTED: Issuer = { kind: 'decline', code: 'authentication_failed', decline_code: null }

// What the issuer says once the buyer has approved in 3-D Secure.
function issuerAfterChallenge(card: CardDetails, isSaving: boolean): Issuer {
  const known = cardByBehavior(card.test_behavior)
  const issuer = isSaving ? known?.onSaving : known?.onSession
  if (issuer === undefined) throw new Error(`no test card behaves as '${card.test_behavior}'`)
  return issuer.kind === 'challenge' ? issuer.next : issuer
}

/**
 * What the issuer says once the buyer approved: as it would at once, but the wait may have been long, and a card that
 * has expired by `now`, in Unix seconds, is declined.
 */
export function issuerOfApproved(card: CardDetails, isSaving: boolean, now: number): Issuer {
  if (isExpiredCard(card, now)) return { kind: 'decline', code: 'expired_card', decline_code: null }
  return issuerAfterChallenge(card, isSaving)
}

/** A decline as a payment records it: codes, words for the buyer, advice for the merchant. */
export function cardFailure({ code, decline_code }: Decline): Failure {
  return { code, decline_code, message: declineMessage(code, decline_code), ...adviceFor(code, decline_code) }
}

/** The 402 that tells of a decline; `payment` is the failed attempt, where one was made. */
export function declineRefusal(failure: Failure, payment: Payment | null): DomainError {
  return new DomainError(failure.code, failure.message, { decline_code: failure.decline_code, payment })
}
