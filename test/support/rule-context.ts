import { createHash } from 'node:crypto'
import type { IdPrefix, RuleContext } from '../../src/domain/core/changes.ts'
import { DEFAULT_DUNNING_POLICY } from '../../src/domain/core/dunning.ts'

/** 2024-01-15 10:30:00 UTC: not the first or last day of a week, month or year. */
export const START = 1_705_314_600
export const DAY = 86_400
export const CHECKOUT_URL = 'http://127.0.0.1:4101'

/** Creates ids from a counter in the format of real ids, so that the same calls return the same ids. */
export function createCounterIds(from = 0): (prefix: IdPrefix) => string {
  let count = from
  return (prefix) => {
    count += 1
    return `${prefix}Test${String(count).padStart(20, '0')}`
  }
}

/** Returns a fingerprint of a card number that does not contain the number. */
export function testFingerprint(cardNumber: string): string {
  return createHash('sha256').update(`salt ${cardNumber}`).digest('hex').slice(0, 16)
}

/** Creates the context of a rule (default: both clocks at `START`). */
export function createRuleContext(now = START): RuleContext {
  return {
    now,
    wallNow: now,
    newId: createCounterIds(),
    fingerprint: testFingerprint,
    checkoutUrl: CHECKOUT_URL,
    dunning: DEFAULT_DUNNING_POLICY,
  }
}
