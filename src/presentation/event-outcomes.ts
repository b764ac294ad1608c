import { EVENT_DESCRIPTIONS, type EventDescription, type EventOutcome } from '../domain/core/event-types.ts'

/** Returns the outcome of a type of event; `neutral` for a type that this version does not know. */
export function getEventTypeOutcome(type: string): EventOutcome {
  const descriptions: Readonly<Record<string, EventDescription>> = EVENT_DESCRIPTIONS
  return descriptions[type]?.[2] ?? 'neutral'
}

/** Returns the outcome of several events: `bad` if any outcome is bad, else `good` if any is good, else `neutral`. */
export function combineOutcomes(outcomes: readonly EventOutcome[]): EventOutcome {
  if (outcomes.includes('bad')) return 'bad'
  return outcomes.includes('good') ? 'good' : 'neutral'
}
