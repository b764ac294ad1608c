import { quoteForShell } from '../domain/text/shell-quote.ts'
import type { EventRow } from './event-feed.ts'

/** Formats the latest delivery of an event as a curl command for a POSIX shell; null when there is no delivery. */
export function formatCurl({ event, deliveries }: EventRow): string | null {
  const delivery = deliveries.at(-1)
  if (delivery === undefined) return null
  const headers = Object.entries(delivery.request_headers).map(
    ([name, value]) => `-H ${quoteForShell(`${name}: ${value}`)}`,
  )
  const data = `--data-raw ${quoteForShell(JSON.stringify(event))}`
  return ['curl', '-X POST', quoteForShell(delivery.url), ...headers, data].join(' ')
}
