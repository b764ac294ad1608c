import type { DeliveryRecord, ListenRecord, ResetRecord, StateRecord } from '../../client/listen-records.ts'
import { sanitizeText } from '../../domain/sanitize.ts'
import type { Style } from '../output/style.ts'

const EXCERPT_CHARACTERS = 200
const INDENT = ' '.repeat(14)

export interface LineOptions {
  readonly style: Style
  /** Whether events and what handlers answer are shown whole. */
  readonly isBodyShown: boolean
  /** The wall clock in milliseconds. */
  readonly nowMs: () => number
}

/** The lines that tell a record to people: one, and for a failure another with the reason and what was answered. */
export function listenLines(record: ListenRecord, { style, isBodyShown, nowMs }: LineOptions): string {
  const time = style.dim(timeOf(nowMs()))
  if (record.type === 'state') return `${time}  ${stateWords(record, style)}\n`
  if (record.type === 'reset') return `${time}  ${resetWords(record)}\n`
  if (record.type === 'event') {
    const { event } = record
    const head = `${time}  -->  ${style.bold(sanitizeText(event.type))}  ${style.dim(sanitizeText(`[${event.id}]`))}\n`
    return isBodyShown ? head + indented(JSON.stringify(event, null, 2)) : head
  }
  const isWhole = isBodyShown && record.response_body !== null
  return `${time}  <--  ${deliveryWords(record, style)}\n${failureLine(record)}${isWhole ? indented(record.response_body ?? '') : ''}`
}

/** Local time to the millisecond, such as `14:03:11.482`. */
export function timeOf(ms: number): string {
  const date = new Date(ms)
  const [hours, minutes, seconds] = [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) =>
    String(part).padStart(2, '0'),
  )
  return `${hours}:${minutes}:${seconds}.${String(date.getMilliseconds()).padStart(3, '0')}`
}

function stateWords({ state, reason, targets }: StateRecord, style: Style): string {
  const where = targets.map(({ url }) => sanitizeText(url)).join(', ')
  if (state === 'connecting') return style.dim('Connecting …')
  if (state === 'ready' && reason !== null) return style.red(sanitizeText(reason))
  if (state === 'ready') return style.green(`Ready${where === '' ? '' : `, forwarding to ${where}`}.`)
  return style.red(
    `${state === 'down' ? 'Down' : 'Connection lost'}, trying again: ${sanitizeText(reason ?? '')}`,
  )
}

function resetWords({ after, continues_after }: ResetRecord): string {
  return continues_after < after
    ? 'The service has another database now; its events begin anew.'
    : `Events ${after + 1} to ${continues_after} are not kept any more and are left out.`
}

function deliveryWords(
  { http_status, error, url, duration_ms, attempt, trigger, event }: DeliveryRecord,
  style: Style,
): string {
  const answer = error === null ? style.green(`[${http_status}]`) : style.red(`[${http_status ?? error}]`)
  const number = trigger === 'manual' ? `resend ${attempt}` : `attempt ${attempt}`
  return `${answer} POST ${sanitizeText(url)}  ${duration_ms}ms  ${number}  ${style.dim(`[${sanitizeText(event)}]`)}`
}

function failureLine({ error, error_message, response_body }: DeliveryRecord): string {
  if (error === null) return ''
  const body = (response_body ?? '').trim().replace(/\s+/g, ' ').slice(0, EXCERPT_CHARACTERS)
  return `${INDENT}${sanitizeText(`${error_message ?? error}${body === '' ? '' : ` It answered: ${body}`}`)}\n`
}

function indented(text: string): string {
  const lines = sanitizeText(text).split('\n')
  return lines.map((line) => `${INDENT}${line}\n`).join('')
}
