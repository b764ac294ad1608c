import type { FormOutcome } from '../../domain/form-tokens.ts'
import type { Challenge } from './three-d-secure-page.ts'

/** What a 3-D Secure page asks to be confirmed: a payment of a session or of an invoice, or a card that is saved. */
export interface Confirmation {
  /** What the page asks; null when nobody waits for its answer any more. */
  readonly challenge: () => Promise<Challenge | null>
  /** Does what the answer leads to, once; null when nobody waits for it any more. */
  readonly answer: (answer: Answer) => Promise<FormOutcome | null>
  /** Where the buyer goes then, as a path. */
  readonly next: (outcome: FormOutcome, nonce: string) => string
  /** The page that says that nobody waits. */
  readonly gone: () => string
}

/** A buyer's answer, and the form it came with. */
export interface Answer {
  readonly nonce: string
  readonly isApproved: boolean
}
