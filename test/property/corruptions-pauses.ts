import type { Invoice } from '../../src/domain/billing/invoices.ts'
import type { PauseCollection } from '../../src/domain/billing/pause-collection.ts'
import { at, type Corruption, first, type Records } from './corruptions.ts'

function pausedSubscription({ subscriptions }: Records, behavior: PauseCollection['behavior']) {
  return first(subscriptions, ({ pause_collection }) => pause_collection?.behavior === behavior)
}

/** Returns the events of the invoice that was created during a pause, oldest first. */
function pausedInvoiceEvents(records: Records, behavior: PauseCollection['behavior']): Records['events'] {
  const { latest_invoice } = pausedSubscription(records, behavior)
  return records.events.filter(({ data }) => data.object.id === latest_invoice)
}

/** Corruptions for the invariant of paused collection. */
export const PAUSE_CORRUPTIONS: readonly Corruption[] = [
  [
    'P44',
    'a pause that did not end',
    (records) => Object.assign(pausedSubscription(records, 'void').pause_collection ?? {}, { resumes_at: 1 }),
  ],
  [
    'P44',
    'a draft of a pause that is collected',
    (records) => {
      const created = at(pausedInvoiceEvents(records, 'keep_as_draft'), 0)
      Object.assign(created.data.object as Invoice, { auto_advance: true })
    },
  ],
  [
    'P44',
    'a kept draft that time finalized',
    (records) => {
      const created = at(pausedInvoiceEvents(records, 'keep_as_draft'), 0)
      records.events.push({ ...created, type: 'invoice.finalized', request: null, sequence: 2 ** 40 })
    },
  ],
  [
    'P44',
    'an invoice that a pause did not void',
    (records) => (at(pausedInvoiceEvents(records, 'void'), 1).type = 'invoice.updated'),
  ],
  [
    'P44',
    'an invoice that a pause did not mark as uncollectible',
    (records) => (at(pausedInvoiceEvents(records, 'mark_uncollectible'), 2).type = 'invoice.paid'),
  ],
]
