import type { FormOutcome } from '../../domain/form-tokens.ts'
import type { PageResponse } from '../forms/http.ts'
import type { Challenge } from './three-d-secure-page.ts'

/** A 3-D Secure confirmation of a session payment, an invoice payment or a saved card. */
export interface Confirmation {
  /** Resolves with the challenge to show, or null when it has ended. */
  readonly loadChallenge: () => Promise<Challenge | null>
  /** Applies the answer once, and resolves with its outcome, or null when the challenge has ended. */
  readonly submit: (answer: ChallengeAnswer) => Promise<FormOutcome | null>
  /** Returns the path of the page after the answer. */
  readonly getNextPath: (outcome: FormOutcome, nonce: string) => string
  /** Returns the page of an ended challenge. */
  readonly renderEndedPage: () => string
  /** Returns the response with the result of a confirmed or rejected challenge. */
  readonly showResult: () => PageResponse
}

/** The customer's answer, with the nonce of its form. */
export interface ChallengeAnswer {
  readonly nonce: string
  readonly isApproved: boolean
}
