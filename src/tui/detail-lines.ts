import type { WebhookDelivery } from '../domain/events/webhook-deliveries.ts'
import { diffObjects, type FieldChange } from '../presentation/json-diff.ts'
import type { EventFeed, ListedEvent } from './event-feed.ts'
import { createJsonLines, type DetailLine } from './json-lines.ts'
import type { ScreenState } from './screen-state.ts'
import {
  createSpan,
  createUntrustedLines,
  createUntrustedSpan,
  fitColumn,
  type Line,
  type SpanStyle,
} from './spans.ts'
import { formatLocalTimeOfDay, formatRetry } from './time-labels.ts'
import type { Tab } from './ui-state.ts'

const MAX_RESPONSE_LINES = 5

/** The data of the event detail. */
export interface DetailLinesOptions extends Pick<ScreenState, 'feed' | 'attempts' | 'nowMs'> {
  readonly row: ListedEvent
  readonly folded: ReadonlySet<string>
}

/** Returns all lines of a tab, not wrapped. */
export function createDetailLines(tab: Tab, options: DetailLinesOptions): readonly DetailLine[] {
  const lines = TAB_LINES[tab](options)
  return lines.length === 0 ? [{ spans: [createSpan(EMPTY_TEXTS[tab], { isDim: true })] }] : lines
}

const EMPTY_TEXTS: Readonly<Record<Tab, string>> = {
  payload: 'The payload is empty.',
  headers: 'No delivery yet.',
  response: 'No response yet.',
  attempts: 'No delivery attempt yet.',
  diff: 'No changes.',
}

const TAB_LINES: Readonly<Record<Tab, (options: DetailLinesOptions) => readonly DetailLine[]>> = {
  payload: ({ row, folded }) => createJsonLines(row.event, folded),
  headers: ({ row }) =>
    Object.entries(row.deliveries.at(-1)?.request_headers ?? {}).map(([name, value]) => ({
      spans: [createUntrustedSpan(name, { color: 'cyan' }), createSpan(': '), createUntrustedSpan(value)],
      indent: 2,
      value,
    })),
  response: ({ row }) => row.deliveries.toReversed().flatMap(responseLines),
  attempts: attemptLines,
  diff: ({ feed, row }) =>
    diffEvent(feed, row).flatMap(({ field, from, to }) => [
      ...(from === null ? [] : plainLines(`- ${field}: ${JSON.stringify(from)}`, { color: 'red' })),
      ...(to === null ? [] : plainLines(`+ ${field}: ${JSON.stringify(to)}`, { color: 'green' })),
    ]),
}

type Attempt = ListedEvent['deliveries'][number] | WebhookDelivery

function responseLines(one: Attempt): DetailLine[] {
  const { url, http_status, error, error_message, response_body } = one
  const color = error === null ? 'green' : 'red'
  return [
    {
      spans: [createSpan(`${http_status ?? error} `, { color }), createUntrustedSpan(url, { isBold: true })],
    },
    ...(error_message === null ? [] : plainLines(error_message, { color: 'red' })),
    ...(response_body === null ? [] : bodyLines(response_body)),
    { spans: [] },
  ]
}

/** Returns the lines of a response body; JSON is formatted. */
function bodyLines(body: string): DetailLine[] {
  const text = body.trim()
  if (!text.startsWith('{') && !text.startsWith('[')) return plainLines(body)
  try {
    return createJsonLines(JSON.parse(text), new Set()).map(({ fold: _unused, ...line }) => line)
  } catch (error) {
    if (error instanceof SyntaxError) return plainLines(body)
    throw error
  }
}

function plainLines(text: string, style: SpanStyle = {}): DetailLine[] {
  return createUntrustedLines(text, style).map((spans) => ({ spans, indent: 2 }))
}

function attemptLines({ row, attempts, nowMs }: DetailLinesOptions): DetailLine[] {
  const list: readonly Attempt[] = attempts ?? row.deliveries.toReversed()
  return list.flatMap((one) => [
    { spans: attemptHead(one), indent: 2 },
    indented({ spans: [createUntrustedSpan(one.url, { isDim: true })] }),
    ...faultLines(one),
    ...shortResponseLines(one),
    ...nextLines(one, nowMs),
  ])
}

function attemptHead(one: Attempt): Line {
  const { attempt, trigger, http_status, error, duration_ms } = one
  const status = 'status' in one ? one.status : error === null ? 'succeeded' : 'failed'
  const color = status === 'failed' ? 'red' : status === 'succeeded' ? 'green' : 'yellow'
  return [
    createSpan(fitColumn(trigger === 'manual' ? `resend ${attempt}` : `attempt ${attempt}`, 12), {
      isBold: true,
    }),
    createSpan(fitColumn(status, 11), { color }),
    createSpan(fitColumn(String(http_status ?? error ?? ''), 12)),
    createSpan(duration_ms === null ? '' : `${duration_ms} ms`, { isDim: true }),
  ]
}

function faultLines({ fault }: Attempt): DetailLine[] {
  if (fault === null) return []
  return [indented({ spans: [createSpan('fault ', { color: 'yellow' }), createUntrustedSpan(fault)] })]
}

function shortResponseLines({ error, error_message, response_body }: Attempt): DetailLine[] {
  const problem = error === null || error_message === null ? [] : [error_message]
  const body = (response_body ?? '').trim().split('\n')
  const shown = body.slice(0, MAX_RESPONSE_LINES).join('\n')
  const more = body.length - MAX_RESPONSE_LINES
  const hidden = `+${more} ${more === 1 ? 'line' : 'lines'} in the response tab`
  const texts = [...problem, ...(shown === '' ? [] : [`Handler responded: ${shown}`])]
  const style: SpanStyle = error === null ? { isDim: true } : { color: 'red' }
  return [
    ...texts.flatMap((text) => plainLines(text, style)).map(indented),
    ...(more > 0 ? [indented({ spans: [createSpan(hidden, { isDim: true })] })] : []),
  ]
}

function nextLines(one: Attempt, nowMs: number): DetailLine[] {
  if (!('next_attempt_at' in one)) return []
  if (one.next_attempt_at === null) return one.status === 'pending' ? HELD : []
  const { next_attempt_at: next, status, attempt } = one
  // Only the pending attempt in the list shows the time of the next attempt, not the failed attempt before it.
  if (status === 'failed') return []
  const text = `${formatRetry(next, nowMs, attempt === 1 ? 'delivery' : 'retry')}, at ${formatLocalTimeOfDay(next)}`
  return [indented({ spans: [createSpan(text, { color: 'yellow' })] })]
}

const HELD: DetailLine[] = [
  indented({ spans: [createSpan('held until it is released', { color: 'yellow' })] }),
]

function indented({ spans, ...line }: DetailLine): DetailLine {
  return { ...line, spans: [createSpan('  '), ...spans], indent: 4 }
}

/** Compares an event's object with the object's previous event, or with the event's `previous_attributes`. */
function diffEvent({ rows }: EventFeed, row: ListedEvent): readonly FieldChange[] {
  const { object, previous_attributes } = row.event.data
  const previous = rows.findLast(
    (one) => one.position < row.position && one.event.data.object.id === object.id,
  )
  const own = previous_attributes === undefined ? {} : { ...object, ...previous_attributes }
  return diffObjects({ ...(previous?.event.data.object ?? own) }, { ...object })
}
