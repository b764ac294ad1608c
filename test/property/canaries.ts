import type { Snapshot } from '../../src/engine/invariants.ts'
import { CARDS } from '../support/samples.ts'
import { DAY, START } from '../support/sandbox.ts'

/** A snapshot that can be broken. */
export type Draft = Mutable<Snapshot>

type Mutable<T> = T extends (infer U)[] | readonly (infer U)[]
  ? Mutable<U>[]
  : T extends object
    ? { -readonly [K in keyof T]: Mutable<T[K]> }
    : T

/** One way to break an invariant: its number, what is wrong, and how to make it so. */
export type Canary = readonly [
  invariant: string,
  broken: string,
  corrupt: (records: Draft['records'], draft: Draft) => void,
]

/** The nth of what is there; negative counts from the end. */
export function at<T>(list: T[], index: number): T {
  const found = list.at(index)
  if (found === undefined) throw new Error(`the snapshot has no record ${index}`)
  return found
}

/** The first with such fields. */
export function find<T>(list: T[], fields: Partial<T>): T {
  return at(
    list.filter((one) => Object.entries(fields).every(([name, value]) => one[name as keyof T] === value)),
    0,
  )
}

/** The object that an event tells of. */
export const objectOf = ({ data }: Draft['records']['events'][number]) =>
  data.object as Record<string, unknown>

/** A broken store for each way an invariant of sessions, money and history can be broken. */
export const CANARIES: readonly Canary[] = [
  ['P1', 'a negative amount', ({ payments }) => (at(payments, 0).amount = -1)],
  ['P1', 'half a cent', ({ invoices }) => (at(at(invoices, 0).taxes, 0).amount = 0.5)],
  ['P1', 'an amount past 2^53', ({ payment_sessions }) => (at(payment_sessions, 0).amount = 2 ** 53)],
  ['P2', 'a tax rounded the other way', ({ invoices }) => (at(at(invoices, 0).lines, 1).tax_amount -= 1)],
  ['P2', 'a line that does not add up', ({ invoices }) => (at(at(invoices, 0).lines, 0).total += 1)],
  ['P3', 'another subtotal', ({ invoices }) => (at(invoices, 0).subtotal += 1)],
  ['P3', 'a rate left out', ({ invoices }) => at(invoices, 0).taxes.pop()],
  ['P3', 'another session total', ({ checkout_sessions }) => (at(checkout_sessions, 0).amount_tax += 1)],
  ['P5', 'half paid', ({ invoices }) => (at(invoices, 0).amount_paid -= 1)],
  ['P5', 'another due', ({ invoices }) => (at(invoices, 0).amount_due += 1)],
  ['P6', 'open for nothing', ({ invoices }) => (find(invoices, { status: 'open' }).total = 0)],
  ['P6', 'paid, but owing', ({ invoices }) => (find(invoices, { status: 'paid' }).amount_remaining = 1)],
  ['P6', 'a paid draft', ({ invoices }) => (find(invoices, { status: 'paid' }).status = 'draft')],
  ['P7', 'paid by a failure', ({ payments }) => (find(payments, { status: 'succeeded' }).status = 'failed')],
  ['P7', 'paid twice', ({ payments }) => payments.push({ ...find(payments, { status: 'succeeded' }) })],
  ['P7', 'paid by less', ({ payments }) => (find(payments, { status: 'succeeded' }).amount -= 1)],
  ['P9', 'a payment in yen', ({ payments }) => (at(payments, 0).currency = 'jpy')],
  [
    'P9',
    'an item in yen',
    ({ subscriptions }) => (at(at(subscriptions, 0).items, 0).price_data.currency = 'jpy'),
  ],
  ['P10', 'another first invoice', ({ invoices }) => (at(invoices, 0).total += 1)],
  [
    'P11',
    'closed silently',
    ({ payment_sessions }) => (find(payment_sessions, { status: 'open' }).status = 'complete'),
  ],
  ['P11', 'closed twice', ({ events }) => events.push(find(events, { type: 'checkout_session.completed' }))],
  [
    'P11',
    'open again',
    ({ checkout_sessions }) => (find(checkout_sessions, { status: 'complete' }).status = 'open'),
  ],
  [
    'P12',
    'completed when expired',
    ({ checkout_sessions }) => {
      const session = find(checkout_sessions, { status: 'complete' })
      session.completed_at = session.expires_at
    },
  ],
  [
    'P12',
    'expired late',
    ({ payment_sessions }) => (find(payment_sessions, { status: 'expired' }).expired_at = START + DAY + 1),
  ],
  ['P12', 'open too long', (_records, draft) => (draft.now += 2 * DAY)],
  [
    'P13',
    'paid by nothing',
    ({ payment_sessions }) => (find(payment_sessions, { status: 'complete' }).payment = null),
  ],
  [
    'P13',
    'another amount',
    ({ payment_sessions }) => (find(payment_sessions, { status: 'complete' }).amount += 1),
  ],
  ['P14', 'no subscription', ({ subscriptions }) => subscriptions.pop()],
  [
    'P14',
    'an invoice of nothing',
    ({ invoices }) => (at(invoices, 0).subscription = 'sub_Test00000000000000000000'),
  ],
  ['P15', 'two charges wait', ({ payments }) => payments.push(find(payments, { status: 'requires_action' }))],
  [
    'P15',
    'charged twice',
    ({ payments }) => payments.push(find(payments, { status: 'succeeded', invoice: null })),
  ],
  ['P16', 'another host', ({ payment_sessions }) => (at(payment_sessions, 0).url += '/')],
  [
    'P16',
    'a URL that was another',
    ({ events }) => (objectOf(find(events, { type: 'payment_session.created' })).url = 'x'),
  ],
  [
    'P25',
    'a change that was not told',
    ({ customers }) => (find(customers, { object: 'customer' }).object = 'other' as never),
  ],
  [
    'P25',
    'another past',
    ({ events }) => (find(events, { type: 'customer.updated' }).data.previous_attributes = { name: 'x' }),
  ],
  [
    'P25',
    'no past',
    ({ events }) => delete find(events, { type: 'customer.updated' }).data.previous_attributes,
  ],
  [
    'P26',
    'an object without a beginning',
    ({ events }) =>
      events.splice(
        events.findIndex(({ type }) => type === 'payment.created'),
        1,
      ),
  ],
  [
    'P26',
    'a life after deletion',
    ({ events }) => {
      const deleted = find(events, { type: 'customer.deleted' })
      events.push({ ...deleted, type: 'customer.updated', sequence: events.length + 1 })
    },
  ],
  ['P27', 'a gap', ({ events }) => (at(events, -1).sequence += 1)],
  ['P27', 'time runs back', ({ events }) => (find(events, { sequence: 20 }).created -= 1)],
  [
    'P28',
    'an unknown move',
    ({ events }) => (find(events, { type: 'invoice.paid' }).type = 'invoice.finalized'),
  ],
  [
    'P28',
    'a change of nothing',
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
    'an id of nothing',
    ({ events }) => (objectOf(at(events, -1)).customer = 'cus_Test00000000000000000000'),
  ],
  [
    'P29',
    'more after the completion',
    ({ events }) => {
      const completed = find(events, { type: 'payment_session.completed' })
      const request = { id: 'req_Test00000000000000000000', idempotency_key: null }
      completed.request = request
      find(events, { sequence: completed.sequence + 1 }).request = request
    },
  ],
  ['P40', 'a test card', ({ customers }) => Object.assign(at(customers, 0), { name: `my ${CARDS.visa}` })],
  [
    'P40',
    'a real card',
    ({ payments }) => (at(payments, 0).failure_message = 'Card 4539 1488 0343 6467 was declined'),
  ],
  ['P40', 'a CVC', ({ payment_methods }) => Object.assign(at(payment_methods, 0).card, { cvc: '739' })],
  [
    'P40',
    'an API key',
    ({ events }) => (objectOf(at(events, 0)).description = 'paysk_test_0123456789abcdefghijABCDEFGHIJ01'),
  ],
  [
    'P40',
    'a webhook secret',
    ({ webhook_endpoints, webhook_secrets }) =>
      (at(webhook_endpoints, 0).description = at(webhook_secrets, 0).secret),
  ],
  [
    'P40',
    'a webhook secret in the wrong field of the sandbox',
    ({ sandboxes, webhook_secrets }) => {
      const { secret } = at(webhook_secrets, 0)
      const own = { id: 'sandbox', object: 'sandbox', webhook_secret: secret } as const
      sandboxes.push({ ...own, fingerprint_salt: 'salt', form_key: secret })
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
    'a number twice',
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
    'an id given twice',
    ({ invoices }) => (at(at(invoices, 0).lines, 1).id = at(at(invoices, 0).lines, 0).id),
  ],
]

function deletedOf(customers: Draft['records']['customers']): string {
  return at(
    customers.filter((customer) => 'deleted' in customer),
    0,
  ).id
}
