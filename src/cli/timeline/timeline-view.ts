import { type Fields, isFields } from '../../client/fields.ts'
import type { Event } from '../../domain/events.ts'
import { isoOf } from '../../domain/moment-text.ts'
import type { FieldChange } from '../output/field-changes.ts'
import type { Style } from '../output/style.ts'
import { momentIn, plainText, wordIn } from '../output/values.ts'
import { layOut } from '../output/wrap-words.ts'
import { entryOf, type TimelineEntry } from './timeline-entries.ts'

/** Fields that only repeat what others, or the events beside, say. */
const REPETITIVE =
  /^(?:outcome\..*|failure_message|last_payment_error\.message|next_action\.type|attempted|auto_advance|refunded|period_index|amount_remaining|latest_invoice|latest_payment|subscription|invoice|payment|payment_method)$/

/** What of a new object says which one it is, by its kind; paths, several for one fact, and what is null is left out. */
const FACTS: Readonly<Record<string, readonly string[]>> = {
  customer: ['email'],
  checkout_session: ['amount_total'],
  payment_session: ['amount'],
  payment_method: ['card.brand card.last4', 'card.test_behavior'],
  subscription: ['status', 'description'],
  invoice: ['status', 'total'],
  payment: ['amount', 'payment_method_details.card.brand payment_method_details.card.last4'],
  refund: ['status', 'amount', 'reason'],
  test_clock: ['name'],
}

const INDENT = '  '
/** Where what happened stands when it has too little room beside the id. */
const HANGING = 12
const LEAST_ROOM = 40

interface Paper {
  readonly style: Style
  /** Columns of the terminal. */
  readonly width: number
}

interface Row {
  readonly entry: TimelineEntry
  readonly day: string
  /** Time, type and id as they are shown. */
  readonly cells: readonly [time: string, type: string, id: string]
  readonly words: readonly string[]
}

/** A timeline as text, one event a line below the day on which it happened, in UTC. */
export function viewTimeline(events: readonly Event[], { style, width }: Paper): string {
  const rows = events.map(rowOf)
  const widths = [0, 1, 2].map((cell) => Math.max(0, ...rows.map(({ cells }) => cells[cell]?.length ?? 0)))
  const beside = INDENT.length + widths.reduce((sum, cell) => sum + cell + 2, 0)
  const isNarrow = width - beside < LEAST_ROOM
  const at = isNarrow ? HANGING : beside
  return rows
    .map(({ entry, day, cells, words }, index) => {
      const before = rows[index - 1]
      const isCauseNew = entry.request !== null && entry.request !== before?.entry.request
      const told = layOut(isCauseNew ? [...words, `by ${plainText(entry.request)}`] : words, { at, width })
      const [time = '', ...others] = cells.map((cell, index) => cell.padEnd(widths[index] ?? 0))
      const head = `${INDENT}${style.dim(time)}  ${others.join('  ')}`.trimEnd()
      const body = isNarrow && told !== '' ? `\n${' '.repeat(HANGING)}${told}` : `  ${told}`
      return `${day === before?.day ? '' : `${style.bold(day)}\n`}${`${head}${body}`.trimEnd()}\n`
    })
    .join('')
}

function rowOf(event: Event): Row {
  const entry = entryOf(event)
  const [day = '', time = ''] = (isoOf(entry.time) ?? `${entry.time}T`).replace('Z', '').split('T')
  return {
    entry,
    day,
    cells: [time, plainText(entry.type), plainText(entry.object)],
    words: wordsOf(event, entry.changes),
  }
}

function wordsOf({ created, data }: Event, changes: readonly FieldChange[]): string[] {
  const object: Fields = { ...data.object }
  const currency = typeof object['currency'] === 'string' ? object['currency'] : null
  if (data.previous_attributes === undefined) return factsOf(object, currency)
  const isSaid = ({ field, to }: FieldChange) => to === created && momentIn(field, to) !== null
  return changes
    .map((change) => ({ ...change, field: labelOf(change.field) }))
    .filter((change) => !isRepeated(change) && !isSaid(change))
    .map(({ field, from, to }) => {
      const [before, after] = [from, to].map((value) => wordIn(field, value, currency))
      return `${plainText(field)} ${before} -> ${after}`
    })
}

function factsOf(object: Fields, currency: string | null): string[] {
  const facts = (FACTS[String(object['object'])] ?? []).map((paths) =>
    paths.split(' ').flatMap((path) => {
      const value = path
        .split('.')
        .reduce<unknown>((at, name) => (isFields(at) ? at[name] : undefined), object)
      return value === null || value === undefined ? [] : [wordIn(path, value, currency)]
    }),
  )
  return facts.filter((words) => words.length > 0).map((words) => words.join(' '))
}

// The decline code says more than that a card was declined, and what an object no longer waits for is told by its new state.
function isRepeated({ field, to }: FieldChange): boolean {
  const isForgotten = to === null && /^(?:last_payment_error|status_details|next_action)\./.test(field)
  return isForgotten || to === 'card_declined' || REPETITIVE.test(field)
}

// What lies between the field and the value it holds deep inside says nothing more.
function labelOf(path: string): string {
  const [first = '', ...inner] = path.split('.')
  return inner.length === 0 ? first : `${first}.${inner.at(-1)}`
}
