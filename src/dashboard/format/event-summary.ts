import { formatAmount, isCurrency } from '../../domain/core/currencies.ts'
import type { Event } from '../../domain/events/events.ts'

/** What the object of an event is about, in a few words. */
export interface EventSummary {
  readonly id: string
  /** Such as `46.75 EUR`; null for objects without an amount. */
  readonly amount: string | null
  /** The e-mail address or the name of the customer; null if the object has none. */
  readonly person: string | null
}

const AMOUNT_FIELDS = ['amount', 'amount_total', 'total'] as const

/** Returns the summary of the object of an event. */
export function summarizeEvent({ data }: Event): EventSummary {
  const fields = fieldsOf(data.object)
  const billing = fieldsOf(fields.get('billing_details'))
  const person = textIn(
    ...[fields.get('email'), fields.get('customer_email'), billing.get('email'), fields.get('name')],
  )
  return { id: data.object.id, amount: amountOf(fields), person }
}

function fieldsOf(object: unknown): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(object ?? {}))
}

function textIn(...values: readonly unknown[]): string | null {
  return values.find((value): value is string => typeof value === 'string' && value !== '') ?? null
}

function amountOf(fields: ReadonlyMap<string, unknown>): string | null {
  const currency = fields.get('currency')
  const amount = AMOUNT_FIELDS.map((name) => fields.get(name)).find((one) => Number.isSafeInteger(one))
  if (typeof amount !== 'number' || typeof currency !== 'string' || !isCurrency(currency)) return null
  return formatAmount(amount, currency)
}
