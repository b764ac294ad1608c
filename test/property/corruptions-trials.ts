import { DAY } from '../support/sandbox.ts'
import { at, type Corruption, find, first, type Records } from './corruptions.ts'

function trialing({ subscriptions }: Records) {
  return find(subscriptions, { status: 'trialing' })
}

/** Returns a subscription whose trial has ended, and its invoices, oldest first. */
function afterTrial({ subscriptions, invoices }: Records) {
  const subscription = first(
    subscriptions,
    ({ status, trial_start }) => status === 'active' && trial_start !== null,
  )
  return { subscription, invoices: invoices.filter((one) => one.subscription === subscription.id) }
}

function notices({ events }: Records): Records['events'] {
  return events.filter(({ type }) => type === 'subscription.trial_will_end')
}

/** Corruptions for the invariants of trials. */
export const TRIAL_CORRUPTIONS: readonly Corruption[] = [
  ['P10', 'a trial that costs something', (records) => (at(afterTrial(records).invoices, 0).total = 1)],
  [
    'P10',
    'a first invoice after a trial with another total',
    (records) => (at(at(afterTrial(records).invoices, 1).lines, 0).total += 1),
  ],
  ['P17', 'a trial with another end', (records) => Object.assign(trialing(records), { trial_end: 1 })],
  ['P17', 'a trial in a paid period', (records) => (trialing(records).period_index = 0)],
  [
    'P17',
    'a period anchored before the end of the trial',
    (records) => (afterTrial(records).subscription.billing_cycle_anchor -= DAY),
  ],
  [
    'P18',
    'a trial without an invoice',
    (records) => {
      const { id } = trialing(records)
      records.invoices = records.invoices.filter(({ subscription }) => subscription !== id)
    },
  ],
  ['P18', 'a trial that is billed', (records) => (at(afterTrial(records).invoices, 0).total = 1)],
  [
    'P18',
    'a trial invoice of another period',
    (records) => (at(afterTrial(records).invoices, 0).period_start += 1),
  ],
  [
    'P28',
    'a paused subscription that renews',
    ({ events }) => (find(events, { type: 'subscription.resumed' }).type = 'subscription.renewed'),
  ],
  [
    'P48',
    'the end of a trial that was not announced',
    (records) => {
      const { id } = trialing(records)
      records.events = records.events.filter(
        ({ type, data }) => type !== 'subscription.trial_will_end' || data.object.id !== id,
      )
    },
  ],
  [
    'P48',
    'the end of a trial that was announced twice',
    (records) => records.events.push({ ...at(notices(records), 0), sequence: records.events.length + 1 }),
  ],
  [
    'P48',
    'the end of a trial that was announced early',
    (records) => (at(notices(records), 0).created -= 9 * DAY),
  ],
  [
    'P48',
    'the end of a trial that was announced late',
    (records) => (at(notices(records), 0).created += 9 * DAY),
  ],
]
