import type { Snapshot } from '../../src/engine/invariants.ts'
import { DAY, START } from '../support/sandbox.ts'

/** A mutable snapshot. */
export type MutableSnapshot = Mutable<Snapshot>

/** The records of a mutable snapshot. */
export type Records = MutableSnapshot['records']

type Mutable<T> = T extends (infer U)[] | readonly (infer U)[]
  ? Mutable<U>[]
  : T extends object
    ? { -readonly [K in keyof T]: Mutable<T[K]> }
    : T

/** A corruption that violates an invariant: invariant, description, function. */
export type Corruption = readonly [
  invariant: string,
  broken: string,
  corrupt: (records: Records, draft: MutableSnapshot) => void,
]

/** Returns the record at an index; negative indexes count from the end. */
export function at<T>(list: T[], index: number): T {
  const found = list.at(index)
  if (found === undefined) throw new Error(`the snapshot has no record ${index}`)
  return found
}

/** Returns the first record that matches. */
export function first<T>(list: T[], isMatch: (one: T) => boolean): T {
  return at(list.filter(isMatch), 0)
}

/** Returns the first record with the given fields. */
export function find<T>(list: T[], fields: Partial<T>): T {
  return first(list, (one) => Object.entries(fields).every(([name, value]) => one[name as keyof T] === value))
}

/** Returns the object of an event. */
export const objectOf = ({ data }: Records['events'][number]) => data.object as Record<string, unknown>

/** Corruptions for the invariants of sessions, money and history. */
export const CORRUPTIONS: readonly Corruption[] = [
  ['P1', 'a negative amount', ({ payments }) => (at(payments, 0).amount = -1)],
  ['P1', 'an amount with half a cent', ({ invoices }) => (at(at(invoices, 0).taxes, 0).amount = 0.5)],
  ['P1', 'an amount past 2^53', ({ payment_sessions }) => (at(payment_sessions, 0).amount = 2 ** 53)],
  ['P1', 'a missing total', ({ checkout_sessions: all }) => (at(all, 0).amount_total = null as never)],
  ['P2', 'a line that does not add up', ({ invoices }) => (at(at(invoices, 0).lines, 0).total += 1)],
  ['P3', 'a wrong subtotal', ({ invoices }) => (at(invoices, 0).subtotal += 1)],
  ['P3', 'a missing tax rate', ({ invoices }) => at(invoices, 0).taxes.pop()],
  ['P3', 'a wrong session total', ({ checkout_sessions }) => (at(checkout_sessions, 0).amount_tax += 1)],
  ['P5', 'a wrong amount due', ({ invoices }) => (at(invoices, 0).amount_due += 1)],
  ['P6', 'an open invoice of zero', ({ invoices }) => (find(invoices, { status: 'open' }).amount_due = 0)],
  [
    'P6',
    'a paid invoice with a remaining amount',
    ({ invoices }) => (find(invoices, { status: 'paid' }).amount_remaining = 1),
  ],
  ['P6', 'a paid draft', ({ invoices }) => (find(invoices, { status: 'paid' }).status = 'draft')],
  [
    'P7',
    'an invoice paid by a failed payment',
    ({ payments }) => (find(payments, { status: 'succeeded' }).status = 'failed'),
  ],
  [
    'P7',
    'an invoice with two succeeded payments',
    ({ payments }) => payments.push({ ...find(payments, { status: 'succeeded' }) }),
  ],
  [
    'P7',
    'an invoice paid by a smaller payment',
    ({ payments }) => (find(payments, { status: 'succeeded' }).amount_captured -= 1),
  ],
  ['P9', 'a payment in yen', ({ payments }) => (at(payments, 0).currency = 'jpy')],
  [
    'P9',
    'an item in yen',
    ({ subscriptions }) => (at(at(subscriptions, 0).items, 0).price_data.currency = 'jpy'),
  ],
  ['P10', 'a first invoice with another total', ({ invoices }) => (at(invoices, 0).total += 1)],
  [
    'P11',
    'a session closed without event',
    ({ payment_sessions }) => (find(payment_sessions, { status: 'open' }).status = 'complete'),
  ],
  [
    'P11',
    'a session with two closing events',
    ({ events }) => events.push(find(events, { type: 'checkout_session.completed' })),
  ],
  [
    'P11',
    'a reopened session',
    ({ checkout_sessions }) => (find(checkout_sessions, { status: 'complete' }).status = 'open'),
  ],
  [
    'P12',
    'a session that completed at its expiry',
    ({ checkout_sessions }) => {
      const session = find(checkout_sessions, { status: 'complete' })
      session.completed_at = session.expires_at
    },
  ],
  [
    'P12',
    'a session that expired after its expiry',
    ({ payment_sessions }) => (find(payment_sessions, { status: 'expired' }).expired_at = START + DAY + 1),
  ],
  ['P12', 'an open session past its expiry', (_records, draft) => (draft.now += 2 * DAY)],
  [
    'P12',
    'a portal session that lives for two hours',
    ({ portal_sessions }) => (find(portal_sessions, { status: 'expired' }).expires_at += 3600),
  ],
  [
    'P13',
    'a paid session without payment',
    ({ payment_sessions }) => (find(payment_sessions, { status: 'complete' }).payment = null),
  ],
  [
    'P13',
    'a session whose amount differs from its payment',
    ({ payment_sessions }) => (find(payment_sessions, { status: 'complete' }).amount += 1),
  ],
  [
    'P13',
    'a complete card session without a card',
    ({ card_sessions }) => (find(card_sessions, { status: 'complete' }).payment_method = null),
  ],
  [
    'P13',
    'a card session with a card from another time',
    ({ card_sessions }) => (find(card_sessions, { status: 'complete' }).completed_at = START + 1),
  ],
  ['P14', 'a completed session without its subscription', ({ subscriptions }) => subscriptions.pop()],
  [
    'P14',
    'an invoice without subscription',
    ({ invoices }) => (at(invoices, 0).subscription = 'sub_Test00000000000000000000'),
  ],
  [
    'P15',
    'a session with two pending payments',
    ({ payments }) => payments.push(find(payments, { status: 'requires_action' })),
  ],
  [
    'P15',
    'a session that was charged twice',
    ({ payments }) => payments.push(find(payments, { status: 'succeeded', invoice: null })),
  ],
  ['P16', 'a session with a changed URL', ({ payment_sessions }) => (at(payment_sessions, 0).url += '/')],
  [
    'P16',
    'an event with a changed session URL',
    ({ events }) => (objectOf(find(events, { type: 'payment_session.created' })).url = 'x'),
  ],
  [
    'P25',
    'a change without event',
    ({ customers }) => (find(customers, { object: 'customer' }).object = 'other' as never),
  ],
  [
    'P25',
    'wrong previous attributes',
    ({ events }) => (find(events, { type: 'customer.updated' }).data.previous_attributes = { name: 'x' }),
  ],
  [
    'P25',
    'missing previous attributes',
    ({ events }) => delete find(events, { type: 'customer.updated' }).data.previous_attributes,
  ],
  [
    'P26',
    'an object without created event',
    ({ events }) =>
      events.splice(
        events.findIndex(({ type }) => type === 'payment.created'),
        1,
      ),
  ],
  [
    'P26',
    'an event after the deletion',
    ({ events }) => {
      const deleted = find(events, { type: 'customer.deleted' })
      events.push({ ...deleted, type: 'customer.updated', sequence: events.length + 1 })
    },
  ],
  ['P27', 'a gap in sequence numbers', ({ events }) => (at(events, -1).sequence += 1)],
  ['P27', 'decreasing event times', ({ events }) => (find(events, { sequence: 20 }).created -= 1)],
  [
    'P28',
    'an unknown status change',
    ({ events }) => (find(events, { type: 'invoice.paid' }).type = 'invoice.finalized'),
  ],
  [
    'P28',
    'an event without change',
    ({ events }) => (find(events, { type: 'invoice.paid' }).data.previous_attributes = {}),
  ],
  [
    'P29',
    'a completion before its invoice',
    ({ events }) => {
      const completed = find(events, { type: 'checkout_session.completed' })
      const paid = find(events, { type: 'invoice.created' })
      ;[completed.sequence, paid.sequence] = [paid.sequence, completed.sequence]
    },
  ],
  [
    'P29',
    'an id of a missing object',
    ({ events }) => (objectOf(at(events, -1)).customer = 'cus_Test00000000000000000000'),
  ],
  [
    'P29',
    'an event after the completion',
    ({ events }) => {
      const completed = find(events, { type: 'payment_session.completed' })
      const request = { id: 'req_Test00000000000000000000', idempotency_key: null }
      completed.request = request
      find(events, { sequence: completed.sequence + 1 }).request = request
    },
  ],
  [
    'P41',
    'a session of a deleted customer',
    ({ customers, payment_sessions }) => {
      find(payment_sessions, { status: 'open' }).customer = deletedOf(customers)
    },
  ],
  [
    'P41',
    'a subscription of a deleted customer',
    ({ customers, subscriptions }) => (at(subscriptions, 0).customer = deletedOf(customers)),
  ],
  [
    'P41',
    'a card of a deleted customer',
    ({ customers, payment_methods }) => (at(payment_methods, 0).customer = deletedOf(customers)),
  ],
  [
    'P42',
    'two invoices with one number',
    ({ events }) =>
      (objectOf(
        at(
          events.filter(({ type }) => type === 'invoice.finalized'),
          1,
        ),
      ).number = 'INV-000001'),
  ],
  [
    'P42',
    'an open invoice without a number',
    ({ invoices }) => (find(invoices, { status: 'open' }).number = null),
  ],
  ['P43', 'a short id', ({ subscriptions }) => (at(at(subscriptions, 0).items, 0).id = 'si_1')],
  [
    'P43',
    'two objects with one id',
    ({ invoices }) => (at(at(invoices, 0).lines, 1).id = at(at(invoices, 0).lines, 0).id),
  ],
]

function deletedOf(customers: Records['customers']): string {
  return first(customers, (customer) => 'deleted' in customer).id
}
