import type { Projection } from '../../../domain/reports/projections.ts'
import { formatAmountAtPath } from '../../../presentation/field-values.ts'
import { findFailureReason } from '../../../presentation/words.ts'
import {
  type AxisEvent,
  findTextField,
  type StoredOrProjectedEvent,
  toAxisEvents,
} from '../clocks/axis-events.ts'
import { describeProjected } from '../clocks/event-headlines.ts'
import { groupByLane } from '../clocks/lanes.ts'
import { groupByTime, type TimeGroup } from '../clocks/marks.ts'

/** The projected events at one time of a test clock that belong to one subscription, or to no subscription. */
export interface UpcomingStep extends TimeGroup {
  /** The id of the subscription; null for events that belong to no subscription. */
  readonly subscription: string | null
  /** The text of the step, such as `Renews`. */
  readonly words: string
  /** The charge, such as `15.00 EUR is charged`; empty without a charge. */
  readonly detail: string
}

/** Groups the events of a projection by subscription and time, the earliest first. */
export function toUpcomingSteps({
  subscription,
  data,
}: Pick<Projection, 'subscription'> & { readonly data: readonly StoredOrProjectedEvent[] }): UpcomingStep[] {
  const events = toAxisEvents(data)
  const lanes = subscription === null ? groupByLane(events) : [{ id: subscription, events }]
  return lanes
    .flatMap(({ id, events: own }) =>
      groupByTime(own).map((group) => ({
        ...{ ...group, subscription: id },
        ...{ words: describeProjected(group.events), detail: describeCharge(group.events) },
      })),
    )
    .sort((a, b) => a.at - b.at)
}

function describeCharge(events: readonly AxisEvent[]): string {
  const charge = events.find(({ type }) => type === 'payment.succeeded' || type === 'payment.failed')
  if (charge === undefined) return describeInvoice(events)
  const { type, object } = charge
  const amount = formatAmountAtPath(object, 'amount')
  if (type === 'payment.succeeded') return `${amount} is charged`
  const reason = findFailureReason({
    status: 'failed',
    decline_code: findTextField(object, 'decline_code'),
    failure_code: findTextField(object, 'failure_code'),
    canceled_reason: null,
  })
  return `${amount} is declined${reason === null ? '' : `: ${reason.toLowerCase()}`}`
}

function describeInvoice(events: readonly AxisEvent[]): string {
  const invoice = events.findLast(({ type }) => type.startsWith('invoice.'))?.object
  return invoice?.['object'] === 'invoice' ? `invoice of ${formatAmountAtPath(invoice, 'total')}` : ''
}
