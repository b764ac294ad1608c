import { isDeleted } from '../../domain/customers.ts'
import type { Event } from '../../domain/events.ts'
import { isDeletedClock } from '../../domain/test-clocks.ts'
import {
  historyOf,
  type Invariant,
  inSequence,
  isSame,
  isTruncated,
  TOLD,
  toldRecords,
  valuesIn,
} from './snapshot.ts'

/** P25: each event overlaid with its previous attributes is the event before it; the last one is what is stored. */
export const eventsChain: Invariant = function* (snapshot) {
  const history = historyOf(snapshot)
  const isWhole = !isTruncated(snapshot)
  for (const [id, events] of history) {
    for (const [at, { id: event, data }] of events.entries()) {
      if (isWhole && at === 0 && data.previous_attributes !== undefined)
        yield `${event}: the first of ${id} has a past`
      if (at > 0 && data.previous_attributes === undefined) yield `${event}: of ${id} has no past`
      const before = { ...data.object, ...data.previous_attributes }
      if (at > 0 && !isSame(before, events[at - 1]?.data.object)) yield `${event}: another past of ${id}`
    }
  }
  for (const [id, stored] of toldRecords(snapshot)) {
    const told = history.get(id)?.at(-1)?.data.object
    const isGone = 'deleted' in stored
    const isUntold = told === undefined && isWhole
    if (isUntold || (told !== undefined && !isGone && !isSame(told, stored)))
      yield `${id}: stored otherwise than told`
  }
}

const FIRST_VERBS = ['created', 'attached']

/** P26: an object's first event is the one of its creation, the only such one, and nothing follows its deletion. */
export const eventsBeginAndEnd: Invariant = function* (snapshot) {
  const { customers, test_clocks } = snapshot.records
  const stubs = [...customers.filter(isDeleted), ...test_clocks.filter(isDeletedClock)]
  const deleted = new Set(stubs.map(({ id }) => id))
  const isWhole = !isTruncated(snapshot)
  for (const [id, events] of historyOf(snapshot)) {
    for (const [at, { type }] of events.entries()) {
      const isFirst = FIRST_VERBS.includes(verbOf(type))
      if (isFirst !== (at === 0) && (isWhole || at > 0)) yield `${id}: event ${at + 1} is ${type}`
      if (verbOf(type) === 'deleted' && at !== events.length - 1) yield `${id}: events after ${type}`
    }
    const isTold = verbOf(events.at(-1)?.type ?? '') === 'deleted'
    if (isTold !== deleted.has(id)) yield `${id}: deleted, but not told so, or the other way round`
  }
}

/** P27: the sequence has no gap and no clock runs backwards. */
export const sequenceHasNoGap: Invariant = function* ({ records }) {
  const latest = new Map<string | null, number>()
  const events = inSequence(records.events)
  const first = events[0]?.sequence ?? 1
  for (const [at, { id, sequence, created, test_clock }] of events.entries()) {
    if (sequence !== at + first) yield `${id}: sequence ${sequence} in place ${at + first}`
    const before = latest.get(test_clock) ?? 0
    if (created < before) yield `${id}: created ${created} after ${before}`
    latest.set(test_clock, created)
  }
}

/** type, states before, states after: `-` not there, `same` whatever it was. */
const MOVES = `
  customer.created                 -                               live
  customer.updated                 live                            live
  customer.deleted                 live                            live
  checkout_session.created         -                               open
  checkout_session.completed       open                            complete
  checkout_session.expired         open                            expired
  payment_session.created          -                               open
  payment_session.completed        open                            complete
  payment_session.expired          open                            expired
  payment_method.attached          -                               attached
  payment_method.detached          attached                        detached
  payment.created                  -                               processing
  payment.requires_action          processing                      requires_action
  payment.succeeded                processing|requires_action      succeeded
  payment.failed                   processing|requires_action      failed
  payment.canceled                 processing|requires_action      canceled
  payment.refunded                 succeeded                       same
  payment.updated                  succeeded                       same
  subscription.created             -                               active|pending
  subscription.started             pending                         active
  subscription.renewed             active|past_due|unpaid          same
  subscription.past_due            active                          past_due
  subscription.unpaid              past_due                        unpaid
  subscription.recovered           past_due|unpaid                 active
  subscription.updated             pending|active|past_due|unpaid  same
  subscription.canceled            pending|active|past_due|unpaid  canceled
  invoice.created                  -                               draft
  invoice.finalized                draft                           open
  invoice.sent                     open                            same
  invoice.overdue                  open                            same
  invoice.paid                     open|uncollectible              paid
  invoice.payment_failed           open|uncollectible              same
  invoice.payment_action_required  open|uncollectible              same
  invoice.voided                   draft|open|uncollectible        void
  invoice.marked_uncollectible     open                            uncollectible
  invoice.updated                  draft|open                      same
  refund.created                   -                               pending|succeeded
  refund.updated                   pending                         succeeded
  refund.failed                    succeeded                       failed
  test_clock.created               -                               ready
  test_clock.advancing             ready                           advancing
  test_clock.ready                 advancing                       ready
  test_clock.internal_failure      advancing                       internal_failure
  test_clock.deleting              ready|internal_failure          deleting
  test_clock.deleted               deleting                        same
`

const RULES = new Map(
  MOVES.trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .map(([type = '', from = '', to = '']) => [type, { from: from.split('|'), to: to.split('|') }]),
)

/** Events that tell of something without changing their object. */
const INFORMATIONAL = ['invoice.sent', 'invoice.overdue', 'customer.deleted', 'test_clock.deleted']

/** P28: each event names a move the state tables have, and tells a change. */
export const movesAreKnown: Invariant = function* ({ records }) {
  for (const { type, data } of records.events) {
    const { object, previous_attributes } = data
    // The chain of P25 makes this the state that the event before told.
    const from = previous_attributes === undefined ? '-' : stateOf({ ...object, ...previous_attributes })
    const rule = RULES.get(type)
    const next = stateOf(object)
    const to = rule?.to.includes('same') ? [from] : (rule?.to ?? [])
    const isOfIts = type.startsWith(`${object.object}.`)
    if (!isOfIts || !rule?.from.includes(from) || !to.includes(next))
      yield `${object.id}: ${type} from ${from} to ${next}`
    const isEmpty = Object.keys(previous_attributes ?? { first: true }).length === 0
    if (isEmpty !== INFORMATIONAL.includes(type))
      yield `${object.id}: ${type} tells ${isEmpty ? 'no' : 'a'} change`
  }
}

function stateOf(object: object): string {
  if ('status' in object) return String(object.status)
  if ('card' in object && 'customer' in object) return object.customer === null ? 'detached' : 'attached'
  return 'live'
}

const REFERENCES = new Set<string>([
  ...['customer', 'checkout_session', 'payment_session', 'subscription', 'invoice', 'payment'],
  ...['payment_method', 'default_payment_method', 'latest_invoice', 'latest_payment', 'test_clock'],
])

/** P29: a completion is told last, and every id in an event can be read. */
export const completionIsLast: Invariant = function* (snapshot) {
  const told = toldRecords(snapshot)
  const events = inSequence(snapshot.records.events)
  // Of an object whose beginning was dropped, the first event that is left tells of something later.
  const born = events.filter(({ data }) => data.previous_attributes === undefined)
  const births = new Map(born.map(({ data, sequence }) => [data.object.id, sequence]))
  for (const event of events) {
    for (const id of referencesIn(event)) {
      if (!told.has(id)) yield `${event.id}: names ${id}, which is not there`
      const isLate = verbOf(event.type) === 'completed' && (births.get(id) ?? 0) > event.sequence
      if (isLate) yield `${event.id}: ${event.type} comes before ${id}`
    }
    const next = events[event.sequence - (events[0]?.sequence ?? 1) + 1]
    const isSameRequest = event.request !== null && next?.request?.id === event.request.id
    if (verbOf(event.type) === 'completed' && isSameRequest)
      yield `${event.id}: ${event.type} is not the last`
  }
}

function* referencesIn({ data }: Event): Generator<string> {
  for (const source of [data.object, data.previous_attributes]) {
    for (const { field, value } of valuesIn(source)) {
      if (REFERENCES.has(field) && typeof value === 'string') yield value
    }
  }
}

function verbOf(type: string): string {
  return type.split('.')[1] ?? ''
}

const PREFIXES = new Map<string, string>(
  [
    ...([
      'customer cus_',
      'checkout_session cks_',
      'payment_session py_sess_',
      'payment_method pm_',
    ] as const),
    ...(['subscription sub_', 'invoice in_', 'payment py_', 'event evt_', 'webhook_endpoint we_'] as const),
    ...(['webhook_delivery whd_', 'api_key key_', 'refund re_', 'test_clock clock_'] as const),
  ].map((pair) => pair.split(' ') as [string, string]),
)

/** P43: ids have the form of their kind and are given once. */
export const idsAreUnique: Invariant = function* (snapshot) {
  const { records } = snapshot
  const seen = new Set<string>()
  const parts = [
    ...[...TOLD, 'events', 'webhook_endpoints', 'webhook_deliveries', 'api_keys'].flatMap((name) =>
      records[name as (typeof TOLD)[number]].map(({ id, object }) => ({ id, prefix: PREFIXES.get(object) })),
    ),
    ...records.subscriptions.flatMap(({ items }) => items.map(({ id }) => ({ id, prefix: 'si_' }))),
    ...records.invoices.flatMap(({ lines }) => lines.map(({ id }) => ({ id, prefix: 'il_' }))),
  ]
  for (const { id, prefix } of parts) {
    if (!new RegExp(`^${prefix}[0-9A-Za-z]{24}$`).test(id)) yield `${id} is not ${prefix} and 24 characters`
    if (seen.has(id)) yield `${id} was given twice`
    seen.add(id)
  }
}
