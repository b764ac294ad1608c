import type { WebhookDelivery } from '../domain/webhook-deliveries.ts'
import { changesOf } from './changes.ts'
import type { Feed, Row } from './model.ts'
import { column, foreign, foreignLines, type Line, own } from './spans.ts'
import { TABS, type Tab } from './ui.ts'

/** What a detail is made of; `attempts` are those the service lists, null while they are not there. */
export interface DetailSubject {
  readonly feed: Feed
  readonly row: Row
  readonly tab: Tab
  readonly attempts: readonly WebhookDelivery[] | null
  readonly columns: number
}

/** The line that names the event and the tabs. */
export function tabLine({ row, tab }: Pick<DetailSubject, 'row' | 'tab'>): Line {
  return [
    foreign(`${row.event.type} `, { isBold: true }),
    ...TABS.flatMap((name) => [own(' '), own(name, name === tab ? { isInverse: true } : { isDim: true })]),
  ]
}

/** All lines of a tab, however many there are. */
export function detailLines(subject: DetailSubject): readonly Line[] {
  const lines = TAB_LINES[subject.tab](subject)
  return lines.length === 0 ? [[own(NOTHING[subject.tab], { isDim: true })]] : lines
}

const NOTHING: Readonly<Record<Tab, string>> = {
  payload: 'It is empty.',
  headers: 'It was not sent anywhere yet.',
  response: 'Nothing was answered yet.',
  attempts: 'There was no attempt to send it.',
  diff: 'Nothing differs.',
}

const TAB_LINES: Readonly<Record<Tab, (subject: DetailSubject) => readonly Line[]>> = {
  payload: ({ row, columns }) => foreignLines(JSON.stringify(row.event, null, 2), columns),
  headers: ({ row, columns }) =>
    Object.entries(row.deliveries.at(-1)?.request_headers ?? {}).flatMap(([name, value]) =>
      foreignLines(`${name}: ${value}`, columns),
    ),
  response: ({ row, columns }) => row.deliveries.toReversed().flatMap((one) => answerLines(one, columns)),
  attempts: attemptLines,
  diff: ({ feed, row, columns }) =>
    changesOf(feed, row).flatMap(({ path, before, after }) => [
      ...(before === undefined
        ? []
        : foreignLines(`- ${path}: ${JSON.stringify(before)}`, columns, { color: 'red' })),
      ...(after === undefined
        ? []
        : foreignLines(`+ ${path}: ${JSON.stringify(after)}`, columns, { color: 'green' })),
    ]),
}

type Answered = Pick<WebhookDelivery, 'url' | 'http_status' | 'error' | 'error_message' | 'response_body'>

function answerLines(one: Answered, columns: number): Line[] {
  const { url, http_status, error, error_message, response_body } = one
  const color = error === null ? 'green' : 'red'
  return [
    [own(`${http_status ?? error} `, { color }), foreign(url, { isBold: true })],
    ...(error_message === null ? [] : foreignLines(error_message, columns, { color: 'red' })),
    ...(response_body === null ? [] : foreignLines(response_body, columns)),
    [],
  ]
}

function attemptLines({ row, attempts }: DetailSubject): Line[] {
  const listed = attempts ?? row.deliveries
  return listed.map((one) => {
    const { url, attempt, trigger, http_status, error, duration_ms } = one
    const status = 'status' in one ? one.status : error === null ? 'succeeded' : 'failed'
    const color = status === 'failed' ? 'red' : status === 'succeeded' ? 'green' : 'yellow'
    return [
      own(column(trigger === 'manual' ? `resend ${attempt}` : `attempt ${attempt}`, 12)),
      own(column(status, 11), { color }),
      own(column(String(http_status ?? error ?? ''), 12)),
      own(column(duration_ms === null ? '' : `${duration_ms} ms`, 10), { isDim: true }),
      foreign(url),
    ]
  })
}
