import { EVENT_TYPES } from '../../domain/event-types.ts'
import { TEST_CARDS } from '../../domain/test-cards.ts'

const TAKING_TYPES: ReadonlySet<string> = new Set(['type', 'types', 'events', 'enabled-events'])

/** What a flag can say whose values no flag lists: the aliases of test cards, the types of events. */
export function valuesOfFlag(name: string, helpValue: string | undefined): readonly string[] {
  if (name === 'card') return TEST_CARDS.map(({ alias }) => alias)
  // The same name is a moment elsewhere.
  const isTaking = TAKING_TYPES.has(name) || (name === 'until' && helpValue === '<event>')
  return isTaking ? EVENT_TYPES : []
}

/** What an argument can say: the types of events. */
export function valuesOfArgument(name: string | undefined): readonly string[] {
  return name === 'event' || name === 'type' ? EVENT_TYPES : []
}
