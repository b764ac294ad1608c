import type { Unvalidated, ValidationError } from '../core/domain-error.ts'
import { formatEventTypeSuggestion } from '../core/event-type-suggestions.ts'
import { EVENT_TYPES } from '../core/event-types.ts'
import { matchesGlob } from '../text/globs.ts'
import type { FaultParams } from './faults.ts'

/** Returns a validation error for each glob of a fault that matches no operation or no event type. */
export function listFaultPatternErrors(
  { match }: Pick<Unvalidated<FaultParams>, 'match'>,
  operations: readonly string[],
): ValidationError[] {
  if (typeof match !== 'object' || match === null) return []
  const { operation, event_type } = match
  return [
    ...(typeof operation === 'string' ? validateOperation(operation, operations) : []),
    ...(typeof event_type === 'string' ? validateEventType(event_type) : []),
  ]
}

function validateOperation(glob: string, operations: readonly string[]): ValidationError[] {
  if (operations.some((name) => matchesGlob(glob, name))) return []
  const [resource = ''] = glob.split('.')
  const similar = operations.filter((name) => name.startsWith(`${resource}.`))
  const known =
    similar.length === 0 ? `The resources are ${resourcesOf(operations)}` : `There are ${similar.join(', ')}`
  const message = `Unknown operation '${glob}': expected an operation such as 'payment_sessions.create', or a glob such as 'customers.*'. ${known}.`
  return [{ code: 'operation_unknown', param: 'match[operation]', message }]
}

function resourcesOf(operations: readonly string[]): string {
  return [...new Set(operations.map((name) => name.split('.')[0]))].join(', ')
}

function validateEventType(glob: string): ValidationError[] {
  if (EVENT_TYPES.some((type) => matchesGlob(glob, type))) return []
  const message = `Unknown event type '${glob}': expected a type such as '${EVENT_TYPES[0]}', or a glob such as 'invoice.*'. ${formatEventTypeSuggestion(glob)}`
  return [{ code: 'event_type_unknown', param: 'match[event_type]', message }]
}
