import { cutToWidth, displayWidth } from '../domain/text/display-width.ts'
import type { EventSummary } from '../presentation/event-summary.ts'
import { untrustedSpan } from './spans.ts'

const TAIL_CHARACTERS = 3
const MIN_NAME_COLUMNS = 4

/**
 * Formats a summary, such as `46.75 EUR · Ada · …kSV`, in at most `width` columns. Without space for all parts, omits the
 * end of the id, then the name. `hasId` is false to omit the end of the id always.
 */
export function formatSummary(summary: EventSummary, width: number, hasId = true): string {
  const { id, amount } = summary
  const name = summary.name ?? summary.email
  const head = amount === null ? [] : [amount]
  const tail = hasId ? untrustedSpan(`…${id.slice(-TAIL_CHARACTERS)}`).text : ''
  for (const end of tail === '' ? [[]] : [[tail], []]) {
    const others = [...head, ...end]
    if (name === null) {
      const text = others.join(' · ')
      if (text !== '' && displayWidth(text) <= width) return text
      continue
    }
    const free = width - displayWidth(others.join(' · ')) - (others.length === 0 ? 0 : 3)
    if (free >= MIN_NAME_COLUMNS)
      return [...head, cutToWidth(untrustedSpan(name).text, free), ...end].join(' · ')
  }
  return cutToWidth(amount ?? (name === null ? tail : untrustedSpan(name).text), width)
}
