import type {
  ConnectionStateRecord,
  DeliveryRecord,
  EventGapRecord,
  ListenOutputRecord,
} from '../../client/listen-records.ts'
import { escapeUnsafeCharacters } from '../../domain/text/sanitize.ts'
import { getStderrWidth, printStyledNote, renderJsonLine, writeToStdout } from '../output/output.ts'
import { replaceProgramName } from '../output/program-name.ts'
import { type OutputSettings, renderStreamEntryFields } from '../output/render-response.ts'
import type { Style } from '../output/style.ts'
import { wrapHanging } from '../output/text-layout.ts'
import type { ListenOutputFormat } from './listen-flags.ts'

const EXCERPT_CHARACTERS = 200
const INDENT = ' '.repeat(14)

/** Creates a function that prints records. Connection states go to stderr, except with the output format `json`. */
export function createListenPrinter(
  output: Exclude<ListenOutputFormat, 'tui'>,
  form: OutputSettings,
  nowMs: () => number,
  isBodyShown = false,
): (record: ListenOutputRecord) => void {
  const format = (record: ListenOutputRecord) => formatListenRecord(record, form.style, nowMs(), isBodyShown)
  let hasBeenReady = false
  return (record) => {
    const isState = record.type === 'state' || isReset(record)
    if (record.type === 'state' && record.state === 'ready') hasBeenReady = true
    if (form.fields.length > 0) {
      if (record.type === 'event') writeToStdout(renderStreamEntryFields(record.event, form.fields))
      else if (isProblem(record)) printStyledNote(format(record).trimEnd())
    } else if (output === 'json') {
      // Print nothing before the ready state, so that scripts can wait for the first line.
      if (hasBeenReady) writeToStdout(renderJsonLine(record))
    } else if (isState) {
      printStyledNote(format(record).trimEnd())
    } else if (output === 'compact') {
      writeToStdout(format(record))
    } else if (record.type === 'delivery' && record.error !== null) {
      printStyledNote(format(record).trimEnd())
    }
  }
}

/**
 * Creates a printer of events only: one line per event on a terminal, otherwise JSON documents or the selected fields.
 */
export function createEventPrinter(
  form: OutputSettings,
  nowMs: () => number,
): (record: ListenOutputRecord) => void {
  const isPlainJson = form.format === 'json' && form.fields.length === 0
  const print = createListenPrinter('compact', form, nowMs)
  return (record) => {
    if (isPlainJson && record.type === 'event') writeToStdout(renderJsonLine(record.event))
    else if (!isPlainJson || isProblem(record)) print(record)
  }
}

function isReset(record: ListenOutputRecord): boolean {
  return record.type === 'reset' || record.type === 'sandbox_reset'
}

function isProblem(record: ListenOutputRecord): boolean {
  return isReset(record) || (record.type === 'state' && record.reason !== null)
}

/** Formats a record as a line with the local time; a failed delivery has a second line with the reason. */
export function formatListenRecord(
  record: ListenOutputRecord,
  style: Style,
  nowMs: number,
  isBodyShown = false,
): string {
  const time = style.dim(formatLocalTime(nowMs))
  if (record.type === 'state') return `${time}  ${formatState(record, style)}\n`
  if (record.type === 'reset') return `${time}  ${formatReset(record)}\n`
  if (record.type === 'sandbox_reset')
    return `${time}  The sandbox was reset, events kept: ${record.continues_after}.\n`
  if (record.type === 'event') {
    const { event } = record
    const head = `${time}  -->  ${style.bold(escapeUnsafeCharacters(event.type))}  ${style.dim(escapeUnsafeCharacters(`[${event.id}]`))}\n`
    return isBodyShown ? head + indent(JSON.stringify(event, null, 2)) : head
  }
  const body = isBodyShown && record.response_body !== null ? indent(record.response_body) : ''
  return `${time}  <--  ${formatDelivery(record, style)}\n${formatFault(record)}${formatFailure(record)}${body}`
}

function formatLocalTime(ms: number): string {
  const date = new Date(ms)
  return `${date.toTimeString().slice(0, 8)}.${String(date.getMilliseconds()).padStart(3, '0')}`
}

function formatState({ state, reason, targets }: ConnectionStateRecord, style: Style): string {
  const urls = targets.map(({ url }) => escapeUnsafeCharacters(url)).join(', ')
  if (state === 'connecting') return style.dim('Connecting …')
  if (state === 'ready' && reason !== null) return style.red(escapeUnsafeCharacters(reason))
  if (state === 'ready') return style.green(`Ready${urls === '' ? '' : `, forwarding to ${urls}`}.`)
  return style.red(
    `${state === 'down' ? 'Disconnected' : 'Connection lost'}, retrying: ${escapeUnsafeCharacters(reason ?? '')}`,
  )
}

function formatReset({ after, continues_after }: EventGapRecord): string {
  return continues_after < after
    ? 'The server has another database now. The events of this database start from the beginning.'
    : `Events ${after + 1} to ${continues_after} were deleted and are omitted.`
}

function formatDelivery(record: DeliveryRecord, style: Style): string {
  const { http_status, error, url, duration_ms, attempt, trigger, event } = record
  const status = error === null ? style.green(`[${http_status}]`) : style.red(`[${http_status ?? error}]`)
  const number = trigger === 'manual' ? `resend ${attempt}` : `attempt ${attempt}`
  return `${status} POST ${escapeUnsafeCharacters(url)}  ${duration_ms}ms  ${number}  ${style.dim(`[${escapeUnsafeCharacters(event)}]`)}`
}

// The fault has its own line, because its id does not fit next to the URL.
function formatFault({ fault }: DeliveryRecord): string {
  return fault === null ? '' : `${INDENT}Fault: ${escapeUnsafeCharacters(fault)}\n`
}

function formatFailure({ error, error_message, response_body }: DeliveryRecord): string {
  if (error === null) return ''
  const body = (response_body ?? '').trim().replace(/\s+/g, ' ').slice(0, EXCERPT_CHARACTERS)
  const text = replaceProgramName(`${error_message ?? error}${body === '' ? '' : ` Response: ${body}`}`)
  const lines = wrapHanging(INDENT, escapeUnsafeCharacters(text), getStderrWidth())
  return `${lines.join('\n')}\n`
}

function indent(text: string): string {
  const lines = escapeUnsafeCharacters(text).split('\n')
  return lines.map((line) => `${INDENT}${line}\n`).join('')
}
