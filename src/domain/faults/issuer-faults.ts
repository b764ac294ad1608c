import type { IssuerDecision } from '../cards/test-cards.ts'
import type { IssuerFaults, ObjectUpdate } from '../core/changes.ts'
import { countAndSelectFault } from './fault-matching.ts'
import type { Fault } from './faults.ts'

/** Selects and counts the faults on payments during one run of a rule. */
export interface CountingIssuerFaults extends IssuerFaults {
  /** Returns the new counts of the faults that matched. */
  readonly changes: () => readonly ObjectUpdate<Fault>[]
}

/**
 * Creates the selector of faults on payments for one run of a rule, starting from the stored counts. `rules` are the
 * fault rules, oldest first.
 */
export function createCountingIssuerFaults(rules: readonly Fault[], wallNow: number): CountingIssuerFaults {
  let faults = rules
  let counted: readonly ObjectUpdate<Fault>[] = []

  function claim(customer: string, canWait: boolean): Fault | null {
    const candidates = faults.filter(({ type }) => canWait || type !== 'processing')
    const { fault, changes } = countAndSelectFault(candidates, { kind: 'payment', customer }, wallNow)
    counted = [...counted, ...changes]
    // The next charge of the same run starts from the counts after this charge.
    faults = faults.map((one) => changes.find(({ after }) => after.id === one.id)?.after ?? one)
    return fault
  }

  return {
    decide(customer) {
      const fault = claim(customer, false)
      return fault && toDecision(fault)
    },
    decideOrDelay(customer) {
      const fault = claim(customer, true)
      if (fault?.type !== 'processing') return fault && toDecision(fault)
      // Round up, because deadlines are in whole seconds.
      return { kind: 'slow', seconds: Math.ceil((fault.delay_ms ?? 0) / 1000) }
    },
    changes: () => counted,
  }
}

function toDecision({ type, decline_code }: Fault): IssuerDecision {
  return type === 'issuer_unavailable'
    ? { kind: 'decline', code: 'processing_error', decline_code: null }
    : { kind: 'decline', code: 'card_declined', decline_code }
}
