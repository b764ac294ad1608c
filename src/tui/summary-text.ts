import { getDisplayWidth, truncateWithEllipsis } from '../domain/text/display-width.ts'
import type { EventSummary } from '../presentation/event-summary.ts'
import { createUntrustedSpan } from './spans.ts'

const TAIL_CHARACTERS = 3
const MIN_NAME_COLUMNS = 4
const SEPARATOR = ' · '

/**
 * Formats a summary, such as `46.75 EUR · Ada · …kSV`, in at most `width` columns. If the parts do not fit, the end of
 * the id is omitted first, then the name. If `hasId` is false, the end of the id is always omitted.
 */
export function formatEventSummary(summary: EventSummary, width: number, hasId = true): string {
  const { id, amount } = summary
  const known = summary.name ?? summary.email
  const name = known === null ? null : createUntrustedSpan(known).text
  const tail = hasId ? createUntrustedSpan(`…${id.slice(-TAIL_CHARACTERS)}`).text : null
  for (const end of [tail, null]) {
    const others = [amount, end].filter((part) => part !== null)
    const free = width - getDisplayWidth([...others, ''].join(SEPARATOR))
    if (name !== null && free >= MIN_NAME_COLUMNS)
      return [amount, truncateWithEllipsis(name, free), end].filter((part) => part !== null).join(SEPARATOR)
    const text = others.join(SEPARATOR)
    if (name === null && text !== '' && getDisplayWidth(text) <= width) return text
  }
  return truncateWithEllipsis(amount ?? name ?? tail ?? '', width)
}
