import { EVENT_TYPES, type EventType } from '../../domain/event-types.ts'
import { matchesGlob } from '../../domain/globs.ts'
import { UsageError } from '../errors/usage-error.ts'

/**
 * The types of events that globs choose: `*` stands for any text, `!` in front takes away, and globs that only take
 * away begin with all. Refuses a glob that matches nothing, and a choice of nothing.
 */
export function selectEvents(globs: readonly string[], flag: string): readonly EventType[] {
  const [minus, plus] = [
    globs.filter((glob) => glob.startsWith('!')),
    globs.filter((glob) => !glob.startsWith('!')),
  ]
  const wanted = new Set(plus.length === 0 ? EVENT_TYPES : plus.flatMap((glob) => matching(glob, glob, flag)))
  for (const glob of minus) for (const type of matching(glob.slice(1), glob, flag)) wanted.delete(type)
  if (wanted.size > 0) return EVENT_TYPES.filter((type) => wanted.has(type))
  throw new UsageError('flag_invalid', `'${globs.join(',')}' leaves no event.`, { param: flag })
}

/** The same as an endpoint's `enabled_events`: `*` where nothing is left out, so that later types are in it too. */
export function enabledEventsOf(globs: readonly string[], flag: string): readonly string[] {
  const types = selectEvents(globs, flag)
  return types.length === EVENT_TYPES.length ? ['*'] : types
}

function matching(glob: string, given: string, flag: string): EventType[] {
  const types = /^[a-z._*]{1,100}$/.test(glob) ? EVENT_TYPES.filter((type) => matchesGlob(glob, type)) : []
  if (types.length > 0) return types
  throw new UsageError('event_type_unknown', `No event matches '${given}'.`, {
    param: flag,
    hint: 'Give a type such as invoice.paid, or a glob such as invoice.*, *.completed or !customer.*. All types: paycli trigger --list',
  })
}
