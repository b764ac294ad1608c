import { formatAmount, isCurrency } from '../domain/core/currencies.ts'
import type { Event } from '../domain/events/events.ts'
import { cutToWidth, displayWidth } from '../domain/text/display-width.ts'
import { untrustedSpan } from './spans.ts'

const TAIL_CHARACTERS = 3
const MIN_NAME_COLUMNS = 4

/** Amount, customer and object of an event, such as `46.75 EUR`, `Ada` and `…kSV`. */
export interface EventSummary {
  readonly amount: string | null
  /** The name or email address of the customer, or the name of a test clock. */
  readonly name: string | null
  /** The end of the id of the object; empty to omit it. */
  readonly tail: string
}

/** Returns the summary of an event; `names` has the name of each customer by id. */
export function summarizeEvent({ data }: Event, names: ReadonlyMap<string, string>): EventSummary {
  const fields = fieldsOf(data.object)
  const id = String(fields.get('id') ?? '')
  const billing = fieldsOf(fields.get('billing_details'))
  const name =
    textIn(fields.get('name'), billing.get('name')) ??
    names.get(customerIdOf(fields)) ??
    textIn(fields.get('email'), fields.get('customer_email'), billing.get('email'))
  return { amount: amountOf(fields), name, tail: `…${id.slice(-TAIL_CHARACTERS)}` }
}

/** Formats a summary in at most `width` columns. Without space for all parts, omits the end of the id, then the name. */
export function formatSummary({ amount, name, tail }: EventSummary, width: number): string {
  const head = amount === null ? [] : [amount]
  for (const end of tail === '' ? [[]] : [[untrustedSpan(tail).text], []]) {
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
  return cutToWidth(amount ?? untrustedSpan(name ?? tail).text, width)
}

/** Returns the id and the name of a customer from an event about the customer; null for any other event. */
export function customerIn({ data }: Event): { readonly id: string; readonly name: string } | null {
  const fields = fieldsOf(data.object)
  const name = textIn(fields.get('name'), fields.get('email'))
  return fields.get('object') !== 'customer' || name === null ? null : { id: String(fields.get('id')), name }
}

/** Returns the id of the customer of an event, or of its object if the object has no customer. */
export function customerIdIn({ data }: Event): string {
  return customerIdOf(fieldsOf(data.object))
}

function customerIdOf(fields: ReadonlyMap<string, unknown>): string {
  return String(fields.get('customer') ?? fields.get('id') ?? '')
}

function fieldsOf(object: unknown): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(object ?? {}))
}

/** Returns the first value that is a text and not empty, or null. */
function textIn(...values: readonly unknown[]): string | null {
  return values.find((value): value is string => typeof value === 'string' && value !== '') ?? null
}

const AMOUNT_FIELDS = ['amount', 'amount_total', 'total'] as const

function amountOf(fields: ReadonlyMap<string, unknown>): string | null {
  const currency = fields.get('currency')
  const amount = AMOUNT_FIELDS.map((name) => fields.get(name)).find((one) => Number.isSafeInteger(one))
  if (typeof amount !== 'number' || typeof currency !== 'string' || !isCurrency(currency)) return null
  return formatAmount(amount, currency)
}
