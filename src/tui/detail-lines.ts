import type { WebhookDelivery } from '../domain/webhook-deliveries.ts'
import { diffEvent } from './event-diff.ts'
import type { EventFeed, EventRow } from './event-feed.ts'
import { fitColumn, type Line, span, untrustedLines, untrustedSpan } from './spans.ts'
import { TABS, type Tab } from './ui-state.ts'

/** What the detail of an event shows; `attempts` is null until the server has returned them. */
export interface DetailLinesOptions {
  readonly feed: EventFeed
  readonly row: EventRow
  readonly tab: Tab
  readonly attempts: readonly WebhookDelivery[] | null
  readonly columns: number
}

/** Returns the line with the event type and the tabs. */
export function tabLine(row: EventRow, tab: Tab): Line {
  return [
    untrustedSpan(`${row.event.type} `, { isBold: true }),
    ...TABS.flatMap((name) => [span(' '), span(name, name === tab ? { isInverse: true } : { isDim: true })]),
  ]
}

/** Returns all lines of a tab, however many there are. */
export function detailLines(options: DetailLinesOptions): readonly Line[] {
  const lines = TAB_LINES[options.tab](options)
  return lines.length === 0 ? [[span(EMPTY_TEXTS[options.tab], { isDim: true })]] : lines
}

const EMPTY_TEXTS: Readonly<Record<Tab, string>> = {
  payload: 'The payload is empty.',
  headers: 'No delivery yet.',
  response: 'No response yet.',
  attempts: 'No delivery attempt yet.',
  diff: 'No changes.',
}

const TAB_LINES: Readonly<Record<Tab, (options: DetailLinesOptions) => readonly Line[]>> = {
  payload: ({ row, columns }) => untrustedLines(JSON.stringify(row.event, null, 2), columns),
  headers: ({ row, columns }) =>
    Object.entries(row.deliveries.at(-1)?.request_headers ?? {}).flatMap(([name, value]) =>
      untrustedLines(`${name}: ${value}`, columns),
    ),
  response: ({ row, columns }) =>
    row.deliveries.toReversed().flatMap((one) => {
      const { url, http_status, error, error_message, response_body } = one
      const color = error === null ? 'green' : 'red'
      return [
        [span(`${http_status ?? error} `, { color }), untrustedSpan(url, { isBold: true })],
        ...(error_message === null ? [] : untrustedLines(error_message, columns, { color: 'red' })),
        ...(response_body === null ? [] : untrustedLines(response_body, columns)),
        [],
      ]
    }),
  attempts: attemptLines,
  diff: ({ feed, row, columns }) =>
    diffEvent(feed, row).flatMap(({ field, from, to }) => [
      ...(from === null
        ? []
        : untrustedLines(`- ${field}: ${JSON.stringify(from)}`, columns, { color: 'red' })),
      ...(to === null
        ? []
        : untrustedLines(`+ ${field}: ${JSON.stringify(to)}`, columns, { color: 'green' })),
    ]),
}

function attemptLines({ row, attempts }: DetailLinesOptions): Line[] {
  return (attempts ?? row.deliveries).map((one) => {
    const { url, attempt, trigger, http_status, error, duration_ms } = one
    const status = 'status' in one ? one.status : error === null ? 'succeeded' : 'failed'
    const color = status === 'failed' ? 'red' : status === 'succeeded' ? 'green' : 'yellow'
    return [
      span(fitColumn(trigger === 'manual' ? `resend ${attempt}` : `attempt ${attempt}`, 12)),
      span(fitColumn(status, 11), { color }),
      span(fitColumn(String(http_status ?? error ?? ''), 12)),
      span(fitColumn(duration_ms === null ? '' : `${duration_ms} ms`, 10), { isDim: true }),
      untrustedSpan(url),
    ]
  })
}
