import type { ApiKey } from '../domain/api-keys.ts'
import type { IdPrefix, RuleContext } from '../domain/changes.ts'
import type { Dunning } from '../domain/dunning.ts'
import type { Store } from '../store/port/store.ts'

/**
 * What the process lends to the rules: the store, the wall clock in Unix seconds, makers of ids and fingerprints, and how
 * long work lets others go first.
 */
export interface Runtime {
  readonly store: Store
  readonly wallNow: () => number
  readonly newId: (prefix: IdPrefix) => string
  readonly fingerprint: (cardNumber: string) => string
  readonly newWebhookSecret: () => string
  readonly newApiKey: (kind: ApiKey['kind']) => string
  /** What events say of the key that a request came with. */
  readonly publicIdempotencyKey: (idempotencyKey: string) => string
  /** Refuses an address that webhooks may not go to, as far as its text tells. */
  readonly requireTarget: (url: string) => void
  readonly checkoutUrl: string
  readonly dunning: Dunning
  /** How many answers to keyed requests the store keeps; `MAX_KEPT_ANSWERS` unless given. */
  readonly maxAnswers?: number
  /** Asked between transactions that follow each other; resolves when the next one may begin. */
  readonly yieldToEventLoop: () => Promise<void>
}

/** The context at a moment of object time, by default now; both in Unix seconds. */
export function ruleContextAt(runtime: Runtime, now: number = runtime.wallNow()): RuleContext {
  const { newId, fingerprint, checkoutUrl, dunning } = runtime
  return { now, wallNow: runtime.wallNow(), newId, fingerprint, checkoutUrl, dunning }
}
