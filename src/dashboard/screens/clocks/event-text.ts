import { formatTime } from '../../format/format-time.ts'
import { type AxisEvent, chargedAmount } from './axis-events.ts'
import { selectHeadlineEvents } from './event-headlines.ts'
import type { Mark, TimeGroup } from './marks.ts'

/** Returns an event as text, such as `invoice.paid 12.00 EUR`. */
export function eventText({ type, object }: AxisEvent): string {
  const amount = chargedAmount(object)
  return amount === null ? type : `${type} ${amount}`
}

/** Returns the events of one time as text, such as `subscription.renewed, invoice.paid 12.00 EUR, 4 more`. */
export function groupText({ events }: TimeGroup): string {
  const headline = selectHeadlineEvents(events)
  const rest = events.length - headline.length
  return [...headline.map(eventText), ...(rest > 0 ? [`${rest} more`] : [])].join(', ')
}

/** Returns the name of a dot for screen readers. */
export function markText({ groups, isProjected }: Mark): string {
  const kind = isProjected ? 'projected' : 'past'
  const [first] = groups
  const last = groups.at(-1)
  if (first === undefined || last === undefined) return ''
  if (groups.length === 1) return `${formatTime(first.at)}, ${kind}: ${groupText(first)}`
  return `${formatTime(first.at)} to ${formatTime(last.at)}, ${groups.length} ${kind} times, the last: ${groupText(last)}`
}
