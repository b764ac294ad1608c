import { formatAmount } from '../../../domain/core/currencies.ts'
import type { JsonObject } from '../../../domain/core/json-object.ts'
import { getFieldName } from '../../../presentation/field-values.ts'
import { formatCountWithNoun } from '../../../presentation/words.ts'

/** A past or projected event on the time axis. */
export interface AxisEvent {
  readonly key: string
  /** The id of the event; null for a projected event. */
  readonly id: string | null
  readonly type: string
  /** The time of the event in Unix seconds. */
  readonly created: number
  readonly object: JsonObject
  readonly isProjected: boolean
}

/** An event of the API, or a projected event. */
export interface StoredOrProjectedEvent extends Pick<AxisEvent, 'type' | 'created'> {
  /** The id of the event; absent for a projected event. */
  readonly id?: string
  readonly data: { readonly object: object }
}

/** The names of the amount fields of a payment, in order of preference. */
const PAID_AMOUNT = 'amount_captured|amount'

/** Converts events to events on the time axis. */
export function toAxisEvents(events: readonly StoredOrProjectedEvent[]): AxisEvent[] {
  return events.map(({ id, type, created, data }, index) => ({
    ...{ key: id ?? `projected-${index + 1}`, id: id ?? null, type, created },
    object: { ...data.object },
    isProjected: id === undefined,
  }))
}

/** Returns a string field of an object; null for any other value. */
export function findTextField(object: JsonObject, name: string): string | null {
  const value = object[name]
  return typeof value === 'string' ? value : null
}

/** Returns an integer field of an object; null for any other value. */
export function findIntegerField(object: JsonObject, name: string): number | null {
  const value = object[name]
  return Number.isSafeInteger(value) ? Number(value) : null
}

/** Returns the totals of succeeded and failed payments, formatted as `2 payments succeeded: 24.00 EUR`. */
export function formatPaymentTotals(events: readonly AxisEvent[]): string[] {
  return ['succeeded', 'failed'].flatMap((outcome) => {
    const own = events.filter(({ type }) => type === `payment.${outcome}`)
    if (own.length === 0) return []
    return `${formatCountWithNoun(own.length, 'payment')} ${outcome}: ${sumsOf(own).join(', ')}`
  })
}

function sumsOf(events: readonly AxisEvent[]): string[] {
  const byCurrency = Map.groupBy(events, ({ object }) => findTextField(object, 'currency') ?? '')
  return [...byCurrency].map(([currency, own]) =>
    formatAmount(
      own.reduce(
        (sum, { object }) => sum + (findIntegerField(object, getFieldName(object, PAID_AMOUNT)) ?? 0),
        0,
      ),
      currency,
    ),
  )
}
