import type { Row } from './model.ts'

/** The latest delivery of an event as a curl command that a POSIX shell takes; null when it was sent nowhere. */
export function curlOf({ event, deliveries }: Row): string | null {
  const delivery = deliveries.at(-1)
  if (delivery === undefined) return null
  const headers = Object.entries(delivery.request_headers).map(
    ([name, value]) => `-H ${quoted(`${name}: ${value}`)}`,
  )
  return [
    'curl',
    '-X POST',
    quoted(delivery.url),
    ...headers,
    `--data-raw ${quoted(JSON.stringify(event))}`,
  ].join(' ')
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
