import type { FormOutcome } from '../../domain/requests/used-form-tokens.ts'
import type { PageResponse } from '../forms/page-response.ts'
import type { ThreeDSecurePageContent } from './three-d-secure-page.ts'

/** A 3-D Secure confirmation of a payment of a session, an invoice or the API, or of a card to save. */
export interface ThreeDSecureFlow {
  /** Resolves with the challenge to show; null if there is no pending challenge. */
  readonly loadChallenge: () => Promise<ThreeDSecurePageContent | null>
  /** Applies the result once, and resolves with the outcome, or null when the challenge is no longer pending. */
  readonly submit: (result: ChallengeDecision) => Promise<FormOutcome | null>
  /** Returns the path of the page after the challenge. */
  readonly getNextPath: (outcome: FormOutcome, nonce: string) => string
  /** Returns the response for a challenge that is no longer pending. */
  readonly showEnded: () => PageResponse
  /** Returns the response with the result of a confirmed or rejected challenge. */
  readonly showResult: () => PageResponse | Promise<PageResponse>
  /** Returns the form to show if the charge would differ from the page; absent if the charge is fixed. */
  readonly showChanged?: () => PageResponse | Promise<PageResponse>
}

/** The customer's decision, with the nonce of the form. */
export interface ChallengeDecision {
  readonly nonce: string
  readonly isApproved: boolean
}
