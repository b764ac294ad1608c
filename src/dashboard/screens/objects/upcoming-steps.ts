import { outcomeOf } from '../../../presentation/event-outcomes.ts'
import { currencyOf } from '../../../presentation/field-values.ts'
import { failureReason, toWords } from '../../../presentation/words.ts'
import type { ProjectedEvent } from '../../data/report-types.ts'
import { formatField } from '../../format/format-field.ts'

/** The projected events of one subscription at one time. */
export interface UpcomingStep {
  /** Unix seconds on the clock of the subscription. */
  readonly at: number
  readonly subscription: string
  /** Such as `Renews`. */
  readonly words: string
  /** Such as `15.00 EUR is charged`; empty without a charge. */
  readonly detail: string
  readonly isBad: boolean
  /** The types of all its events, in order. */
  readonly types: readonly string[]
}

/** The words of the events that name a step, the most important first. */
const WORDS: readonly (readonly [type: string, words: string])[] = [
  ['subscription.canceled', 'Ends'],
  ['subscription.unpaid', 'Becomes unpaid'],
  ['subscription.paused', 'Is paused: the trial ends without a card'],
  ['subscription.recovered', 'Recovers'],
  ['subscription.started', 'The first paid period begins'],
  ['subscription.renewed', 'Renews'],
  ['subscription.trial_will_end', 'Three days until the trial ends'],
  ['subscription.past_due', 'Becomes past due'],
  ['invoice.payment_failed', 'A retry is declined'],
  ['invoice.overdue', 'The invoice is overdue'],
  ['invoice.paid', 'The invoice is paid'],
  ['invoice.marked_uncollectible', 'The invoice is marked uncollectible'],
  ['payment.succeeded', 'A charge succeeds'],
  ['subscription.updated', 'Changes'],
]

/** Groups the projected events of a subscription by time, in the order of the events. */
export function toUpcomingSteps(subscription: string, events: readonly ProjectedEvent[]): UpcomingStep[] {
  const times = [...new Set(events.map(({ created }) => created))]
  return times.map((at) =>
    toStep(
      subscription,
      at,
      events.filter(({ created }) => created === at),
    ),
  )
}

function toStep(subscription: string, at: number, events: readonly ProjectedEvent[]): UpcomingStep {
  const types = events.map(({ type }) => type)
  const [type = '', words] = WORDS.find(([one]) => types.includes(one)) ?? [types[0]]
  return {
    at,
    subscription,
    words: words ?? toWords(type.replace('.', ' ')),
    detail: describeCharge(events),
    isBad: outcomeOf(type) === 'bad' || types.includes('payment.failed'),
    types,
  }
}

function describeCharge(events: readonly ProjectedEvent[]): string {
  const charge = events.find(({ type }) => type === 'payment.succeeded' || type === 'payment.failed')
  if (charge === undefined) return describeInvoice(events)
  const { object } = charge.data
  const amount = formatField('amount', object['amount'], currencyOf(object)).text
  if (charge.type === 'payment.succeeded') return `${amount} is charged`
  const text = (name: string) => (typeof object[name] === 'string' ? object[name] : null)
  const reason = failureReason({
    status: 'failed',
    decline_code: text('decline_code'),
    failure_code: text('failure_code'),
    canceled_reason: null,
  })
  return `${amount} is declined${reason === null ? '' : `: ${reason.toLowerCase()}`}`
}

function describeInvoice(events: readonly ProjectedEvent[]): string {
  const invoice = events.findLast(({ type }) => type.startsWith('invoice.'))?.data.object
  if (invoice?.['object'] !== 'invoice') return ''
  return `invoice of ${formatField('total', invoice['total'], currencyOf(invoice)).text}`
}
