import type { Event } from '../../../domain/events/events.ts'
import { amountAt } from '../../../presentation/field-values.ts'
import type { ProjectionResponse } from '../../data/report-types.ts'

/** The fields of an object of an event, which depend on its type. */
export type ObjectFields = Readonly<Record<string, unknown>>

/** An event on the time axis: one that occurred, or a projected one. */
export interface AxisEvent {
  readonly key: string
  readonly type: string
  /** Unix seconds. */
  readonly created: number
  readonly object: ObjectFields
  readonly isProjected: boolean
}

/** Returns events for the axis. */
export function toAxisEvents(events: readonly Event[]): AxisEvent[] {
  return events.map(({ id, type, created, data }) => ({
    ...{ key: id, type, created },
    object: { ...data.object },
    isProjected: false,
  }))
}

/** Returns the projected events for the axis. */
export function toProjectedEvents({ data }: Pick<ProjectionResponse, 'data'>): AxisEvent[] {
  return data.map(({ type, created, data: { object } }, index) => ({
    ...{ key: `projected-${index + 1}`, type, created },
    object: { ...object },
    isProjected: true,
  }))
}

/** Returns the properties of the line that shows an event. */
export function eventLineProps({ key, type, object, isProjected }: AxisEvent) {
  return { id: isProjected ? null : key, type, object, amount: chargedAmount(object) }
}

/** Returns the amount of an object, of an invoice the amount that is charged; null for objects without an amount. */
export function chargedAmount(object: ObjectFields): string | null {
  return amountAt(object, 'amount|amount_due|amount_total|total')
}

/** Returns a field of an object that is a text; null without it. */
export function textField(object: ObjectFields, name: string): string | null {
  const value = object[name]
  return typeof value === 'string' ? value : null
}

/** Returns a field of an object that is an integer; null without it. */
export function integerField(object: ObjectFields, name: string): number | null {
  const value = object[name]
  return Number.isSafeInteger(value) ? Number(value) : null
}
