import { type ObjectUpdate, toUpdate } from '../core/changes.ts'
import { matchesGlob } from '../text/globs.ts'
import { type Fault, getFaultKind } from './faults.ts'

/** A request, delivery or payment to which a fault may apply; `customer` is null if no customer is known. */
export type FaultTarget =
  | { readonly kind: 'request'; readonly operation: string; readonly customer: string | null }
  | {
      readonly kind: 'delivery'
      readonly event_type: string
      readonly webhook_endpoint: string
      readonly customer: string | null
    }
  | { readonly kind: 'payment'; readonly customer: string | null }

/** Returns whether a fault may apply to a target, regardless of `skip`, `times` and `probability`. */
export function matchesFault(
  { type, match, expires_at }: Fault,
  target: FaultTarget,
  wallNow: number,
): boolean {
  if (getFaultKind(type) !== target.kind || (expires_at !== null && expires_at <= wallNow)) return false
  if (match.customer !== null && match.customer !== target.customer) return false
  if (target.kind === 'request')
    return match.operation === null || matchesGlob(match.operation, target.operation)
  if (target.kind === 'payment') return true
  if (match.webhook_endpoint !== null && match.webhook_endpoint !== target.webhook_endpoint) return false
  return match.event_type === null || matchesGlob(match.event_type, target.event_type)
}

/** The fault that applies to a target, and the changed counts of all faults that match the target. */
export interface FaultSelection {
  readonly fault: Fault | null
  readonly changes: readonly ObjectUpdate<Fault>[]
}

/** Counts a match of each fault, and selects the first fault that applies. `faults` must be sorted, oldest first. */
export function countAndSelectFault(
  faults: readonly Fault[],
  target: FaultTarget,
  wallNow: number,
): FaultSelection {
  let fault: Fault | null = null
  const changes = faults
    .filter((one) => matchesFault(one, target, wallNow))
    .map((one) => {
      const isApplied = fault === null && isSelected(one)
      const after = { ...one, matched: one.matched + 1, applied: one.applied + (isApplied ? 1 : 0) }
      if (isApplied) fault = after
      return toUpdate<Fault>(null, one, after)
    })
  return { fault, changes }
}

function isSelected({ skip, times, probability, seed, matched, applied }: Fault): boolean {
  if (matched < skip || (times !== null && applied >= times)) return false
  return percentileOf(seed, matched) < probability
}

/** Returns a number from 0 to 99 that depends only on a seed and a count: the FNV-1a hash with a final mix. */
function percentileOf(seed: string, count: number): number {
  let hash = 0x811c9dc5
  for (const character of `${seed} ${count}`) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) % 100
}
