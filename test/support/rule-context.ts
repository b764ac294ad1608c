import { createHash } from 'node:crypto'
import type { IdPrefix, RuleContext } from '../../src/domain/changes.ts'
import { DEFAULT_DUNNING } from '../../src/domain/dunning.ts'

/** 2024-01-15 10:30:00 UTC: no first or last day of anything. */
export const START = 1_705_314_600
export const DAY = 86_400
export const CHECKOUT_URL = 'http://127.0.0.1:4101'

/** Ids that count: the same calls give the same ids, in the form of real ones. */
export function createCounterIds(from = 0): (prefix: IdPrefix) => string {
  let count = from
  return (prefix) => {
    count += 1
    return `${prefix}Test${String(count).padStart(20, '0')}`
  }
}

/** Tells card numbers apart without repeating them. */
export function testFingerprint(cardNumber: string): string {
  return createHash('sha256').update(`salt ${cardNumber}`).digest('hex').slice(0, 16)
}

/** All a rule may know, at `START` on both clocks unless told otherwise. */
export function createRuleContext(now = START): RuleContext {
  return {
    now,
    wallNow: now,
    newId: createCounterIds(),
    fingerprint: testFingerprint,
    checkoutUrl: CHECKOUT_URL,
    dunning: DEFAULT_DUNNING,
  }
}
