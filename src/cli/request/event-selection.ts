import { findNearestName } from '../../api/schema/spelling.ts'
import { translateStripeEventType } from '../../domain/core/event-type-suggestions.ts'
import { EVENT_TYPES, type EventType } from '../../domain/core/event-types.ts'
import { matchesGlob } from '../../domain/text/globs.ts'
import { UsageError } from '../errors/usage-error.ts'

const GLOB_HINT =
  'Use a type such as invoice.paid, or a glob such as invoice.*, *.completed or !customer.*. To list all types, run paycli trigger --list.'

/**
 * Returns the event types that globs select. `*` matches any characters and a leading `!` excludes types. Exclusions
 * alone select all other types. Throws when a glob matches no type or when no type is left.
 */
export function selectEventTypes(globs: readonly string[], flag: string): readonly EventType[] {
  const included = globs.filter((glob) => !glob.startsWith('!'))
  const selected = new Set(
    included.length === 0 ? EVENT_TYPES : included.flatMap((glob) => matchTypes(glob, flag)),
  )
  for (const glob of globs.filter((one) => one.startsWith('!')))
    for (const type of matchTypes(glob, flag)) selected.delete(type)
  if (selected.size > 0) return EVENT_TYPES.filter((type) => selected.has(type))
  throw new UsageError('flag_invalid', `'${globs.join(',')}' excludes every event type.`, { param: flag })
}

/** Returns the selected types as `enabled_events` of a webhook endpoint: `*` for all types, which includes future types. */
export function parseEnabledEvents(globs: readonly string[], flag: string): readonly string[] {
  const types = selectEventTypes(globs, flag)
  return types.length === EVENT_TYPES.length ? ['*'] : types
}

function matchTypes(glob: string, flag: string): EventType[] {
  const pattern = glob.replace(/^!/, '')
  const types = /^[a-z._*]{1,100}$/.test(pattern)
    ? EVENT_TYPES.filter((type) => matchesGlob(pattern, type))
    : []
  if (types.length > 0) return types
  const known = translateStripeEventType(pattern)
  const isKnown = EVENT_TYPES.some((type) => matchesGlob(known, type))
  const nearest = isKnown ? known : findNearestName(known, EVENT_TYPES)
  throw new UsageError('event_type_unknown', `No event type matches '${glob}'.`, {
    param: flag,
    hint: nearest === null ? GLOB_HINT : `Did you mean ${nearest}?`,
  })
}
