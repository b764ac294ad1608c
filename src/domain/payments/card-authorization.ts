import {
  type CardFields,
  isExpiredCard,
  listCardErrors,
  listCardholderNameErrors,
  parseCard,
} from '../cards/card-validation.ts'
import { getDeclineExplanation } from '../cards/declines.ts'
import {
  type DeclineDecision,
  findCardByBehavior,
  findCardByNumber,
  GENERIC_DECLINE_DECISION,
  getOffSessionBehavior,
  getUnknownCardDecline,
  type IssuerBehavior,
  type SlowDecision,
  type TestCard,
} from '../cards/test-cards.ts'
import type { RuleContext } from '../core/changes.ts'
import { DomainError, throwValidationErrors } from '../core/domain-error.ts'
import type { CardDetails } from './payment-methods.ts'
import type { Payment, PaymentFailure } from './payments.ts'
import type { WalletDecision } from './wallet.ts'

/** An entered card without its number, and the decision of its issuer. */
export interface CardAuthorization extends ResolvedCard {
  readonly issuer: IssuerBehavior
}

/** An entered card without its number. */
interface ResolvedCard {
  readonly card: CardDetails
  readonly name: string | null
}

/** A request to the issuer: to charge a card of a customer, or to check the card with an amount of zero. */
interface IssuerRequest {
  readonly customer: string
  readonly isSetup: boolean
}

type EnteredFields = CardFields & { readonly name?: string | null; readonly wallet?: WalletDecision }

/** Resolves an entered card like `resolveTestCard`, and gets the decision of its issuer. */
export function authorizeTestCard(
  fields: EnteredFields,
  { customer, isSetup }: IssuerRequest,
  context: RuleContext,
): CardAuthorization | DomainError {
  const resolved = resolveTestCard(fields, context)
  if (resolved instanceof DomainError) return resolved
  const { onSetup, onSession } = requireTestCard(resolved.card)
  const known = isSetup ? onSetup : onSession
  const issuer = fields.wallet === 'decline' ? GENERIC_DECLINE_DECISION : known
  // The cardholder authenticates before the charge, so a fault applies to the decision after the authentication.
  if (issuer.kind === 'challenge') return { ...resolved, issuer }
  // A slow issuer finally approves, so this fault must not replace a decline. The check of a card is never slow.
  const canWait = !isSetup && (issuer.kind === 'approve' || issuer.kind === 'slow')
  const { issuerFaults } = context
  const fault = canWait ? issuerFaults?.decideOrDelay(customer) : issuerFaults?.decide(customer)
  return { ...resolved, issuer: fault ?? issuer }
}

/**
 * Validates an entered card and resolves it to a test card. Keeps only the brand, the last four digits and a keyed
 * fingerprint of the number. Throws all validation errors together. Declines a number that is not a test card, so that
 * no data of a real card is stored.
 */
export function resolveTestCard(fields: EnteredFields, context: RuleContext): ResolvedCard | DomainError {
  throwValidationErrors([
    ...listCardErrors(fields, context.now),
    ...listCardholderNameErrors(fields.name ?? ''),
  ])
  const entered = parseCard(fields)
  const testCard = findCardByNumber(entered.number)
  if (testCard === undefined)
    return createDeclineError(toPaymentFailure(getUnknownCardDecline(entered.number)), null)
  return {
    card: {
      brand: testCard.brand,
      last4: testCard.number.slice(-4),
      exp_month: entered.exp_month,
      exp_year: entered.exp_year,
      funding: testCard.funding,
      country: testCard.country,
      fingerprint: context.fingerprint(testCard.number),
      test_behavior: testCard.test_behavior,
      wallet: fields.wallet === undefined ? null : { type: 'test_wallet' },
    },
    name: fields.name || null,
  }
}

const EXPIRED: DeclineDecision = { kind: 'decline', code: 'expired_card', decline_code: null }

/**
 * Returns the decision after 3-D Secure: a decline if the cardholder rejected the authentication, otherwise the
 * issuer's decision. An expired card is declined. Faults of the type `processing` do not apply.
 */
export function getDecisionAfterAuthentication(
  card: CardDetails,
  { customer, isSetup, isApproved }: IssuerRequest & { readonly isApproved: boolean },
  { now, issuerFaults }: RuleContext,
): IssuerBehavior {
  if (!isApproved) return { kind: 'decline', code: 'authentication_failed', decline_code: null }
  const fault = issuerFaults?.decide(customer)
  if (fault) return fault
  if (isExpiredCard(card, now)) return EXPIRED
  const testCard = requireTestCard(card)
  const issuer = isSetup ? testCard.onSetup : testCard.onSession
  return issuer.kind === 'challenge' ? issuer.next : issuer
}

interface SavedCardCharge extends Pick<IssuerRequest, 'customer'> {
  readonly isOffSession: boolean
  /** Whether the cardholder has just authenticated, so that an on-session charge requires no further authentication. */
  readonly isAuthenticated?: boolean
  readonly attempt: number
}

/**
 * Returns the issuer's decision on the charge of an invoice or an API payment. Off-session decisions may depend on the
 * number of the attempt, counted from 1. Only payments of sessions are processed slowly.
 */
export function getSavedCardDecision(
  card: CardDetails,
  charge: SavedCardCharge,
  { now, issuerFaults }: RuleContext,
): Exclude<IssuerBehavior, SlowDecision> {
  const issuer = findSavedCardIssuer(card, charge, now)
  return (issuer.kind === 'challenge' ? null : issuerFaults?.decide(charge.customer)) ?? issuer
}

function findSavedCardIssuer(
  card: CardDetails,
  { isOffSession, isAuthenticated = false, attempt }: SavedCardCharge,
  now: number,
): Exclude<IssuerBehavior, SlowDecision> {
  if (isExpiredCard(card, now)) return EXPIRED
  if (isOffSession) return getOffSessionBehavior(card.test_behavior, attempt)
  const { onSession: first } = requireTestCard(card)
  const onSession = isAuthenticated && first.kind === 'challenge' ? first.next : first
  return onSession.kind === 'slow' ? { kind: 'approve' } : onSession
}

function requireTestCard(card: CardDetails): TestCard {
  const testCard = findCardByBehavior(card.test_behavior)
  if (testCard === undefined) throw new Error(`no test card behaves as '${card.test_behavior}'`)
  return testCard
}

/** Returns the payment failure of a decline: codes, message for the cardholder, advice for the merchant. */
export function toPaymentFailure({ code, decline_code }: DeclineDecision): PaymentFailure {
  return { code, decline_code, ...getDeclineExplanation(code, decline_code) }
}

/** Returns the 402 error of a decline. `payment` is the failed payment, or null if no payment was created. */
export function createDeclineError(failure: PaymentFailure, payment: Payment | null): DomainError {
  return new DomainError(failure.code, failure.message, { decline_code: failure.decline_code, payment })
}

/** The 402 failure of a charge that the cardholder must authenticate first. */
export const AUTHENTICATION_REQUIRED_FAILURE: PaymentFailure = toPaymentFailure({
  kind: 'decline',
  code: 'authentication_required',
  decline_code: null,
})
