import type { EventRow } from './event-feed.ts'

/** Formats the latest delivery of an event as a curl command for a POSIX shell; null when there is no delivery. */
export function formatCurl({ event, deliveries }: EventRow): string | null {
  const delivery = deliveries.at(-1)
  if (delivery === undefined) return null
  const headers = Object.entries(delivery.request_headers).map(
    ([name, value]) => `-H ${shellQuote(`${name}: ${value}`)}`,
  )
  const data = `--data-raw ${shellQuote(JSON.stringify(event))}`
  return ['curl', '-X POST', shellQuote(delivery.url), ...headers, data].join(' ')
}

function shellQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
