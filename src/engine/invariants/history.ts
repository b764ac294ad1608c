import { isDeleted } from '../../domain/core/changes.ts'
import type { EventType } from '../../domain/core/event-types.ts'
import type { Event } from '../../domain/events/events.ts'
import { COLLECTION_NAMES, COLLECTION_RULES } from '../../store/port/collections.ts'
import {
  groupEventsByObject,
  type Invariant,
  isEventHistoryTruncated,
  isSameJson,
  iterateNestedValues,
  mapEventRecordsById,
  REFERENCE_FIELDS,
  sortBySequence,
} from './snapshot.ts'

/**
 * P25: the object of each event, with its previous attributes restored, equals the object of the preceding event. The
 * last event equals the stored object.
 */
export const eventsAreContinuous: Invariant = function* (snapshot) {
  const history = groupEventsByObject(snapshot)
  const isWhole = !isEventHistoryTruncated(snapshot)
  for (const [id, events] of history) {
    for (const [at, { id: event, data }] of events.entries()) {
      if (isWhole && at === 0 && data.previous_attributes !== undefined)
        yield `${event}: the first event of ${id} has previous attributes`
      if (at > 0 && data.previous_attributes === undefined)
        yield `${event}: a later event of ${id} has no previous attributes`
      const before = { ...data.object, ...data.previous_attributes }
      if (at > 0 && !isSameJson(before, events[at - 1]?.data.object))
        yield `${event}: previous attributes do not match the event before of ${id}`
    }
  }
  for (const [id, stored] of mapEventRecordsById(snapshot)) {
    const latest = history.get(id)?.at(-1)?.data.object
    const isMissing = latest === undefined && isWhole
    if (isMissing || (latest !== undefined && !isDeleted(stored) && !isSameJson(latest, stored)))
      yield `${id}: stored object does not match its last event`
  }
}

const FIRST_VERBS = ['created', 'attached']

/** P26: the first event of an object is its only creation event, and no event follows its deletion. */
export const createdIsFirstDeletedIsLast: Invariant = function* (snapshot) {
  const deleted = new Set<string>()
  for (const [id, record] of mapEventRecordsById(snapshot)) if (isDeleted(record)) deleted.add(id)
  const isWhole = !isEventHistoryTruncated(snapshot)
  for (const [id, events] of groupEventsByObject(snapshot)) {
    for (const [at, { type }] of events.entries()) {
      const isFirst = FIRST_VERBS.includes(verbOf(type))
      if (isFirst !== (at === 0) && (isWhole || at > 0)) yield `${id}: event ${at + 1} is ${type}`
      if (verbOf(type) === 'deleted' && at !== events.length - 1) yield `${id}: events after ${type}`
    }
    const hasDeletedEvent = verbOf(events.at(-1)?.type ?? '') === 'deleted'
    if (hasDeletedEvent !== deleted.has(id)) yield `${id}: its deletion and its last event do not match`
  }
}

/** P27: sequence numbers have no gaps, and the time of each clock never decreases. */
export const sequenceHasNoGaps: Invariant = function* ({ records }) {
  const latest = new Map<string | null, number>()
  const events = sortBySequence(records.events)
  const first = events[0]?.sequence ?? 1
  for (const [at, { id, sequence, created, test_clock }] of events.entries()) {
    if (sequence !== at + first) yield `${id}: sequence ${sequence}, expected ${at + first}`
    const before = latest.get(test_clock) ?? 0
    if (created < before) yield `${id}: created ${created} after ${before}`
    latest.set(test_clock, created)
  }
}

/** The states of an object before and after an event of each type. `-`: does not exist; `same`: unchanged. */
const TRANSITION_TABLE: Readonly<Record<EventType, string>> = {
  'customer.created': '- → live',
  'customer.updated': 'live → live',
  'customer.deleted': 'live → live',
  'checkout_session.created': '- → open',
  'checkout_session.completed': 'open → complete',
  'checkout_session.expired': 'open → expired',
  'payment_session.created': '- → open',
  'payment_session.completed': 'open → complete',
  'payment_session.updated': 'complete → same',
  'payment_session.payment_succeeded': 'complete → same',
  'payment_session.payment_failed': 'complete → same',
  'payment_session.expired': 'open → expired',
  'card_session.created': '- → open',
  'card_session.completed': 'open → complete',
  'card_session.expired': 'open → expired',
  'portal_session.created': '- → open',
  'portal_session.expired': 'open → expired',
  'payment_method.attached': '- → attached',
  'payment_method.detached': 'attached → detached',
  'payment.created': '- → processing',
  'payment.requires_action': 'processing → requires_action',
  'payment.authorized': 'processing|requires_action → requires_capture',
  'payment.succeeded': 'processing|requires_action|requires_capture → succeeded',
  'payment.failed': 'processing|requires_action → failed',
  'payment.canceled': 'processing|requires_action|requires_capture → canceled',
  'payment.refunded': 'succeeded → same',
  'payment.updated': 'succeeded → same',
  'subscription.created': '- → active|pending|trialing',
  'subscription.started': 'pending|trialing → active',
  'subscription.trial_will_end': 'trialing → same',
  'subscription.paused': 'trialing → paused',
  'subscription.resumed': 'paused → active',
  'subscription.renewed': 'active|past_due|unpaid → same',
  'subscription.past_due': 'active → past_due',
  'subscription.unpaid': 'past_due → unpaid',
  'subscription.recovered': 'past_due|unpaid → active',
  'subscription.updated': 'pending|trialing|active|past_due|unpaid|paused → same',
  'subscription.canceled': 'pending|trialing|active|past_due|unpaid|paused → canceled',
  'invoice.created': '- → draft',
  'invoice.finalized': 'draft → open',
  'invoice.sent': 'open → same',
  'invoice.overdue': 'open → same',
  'invoice.paid': 'open|uncollectible → paid',
  'invoice.payment_failed': 'open|uncollectible → same',
  'invoice.payment_action_required': 'open|uncollectible → same',
  'invoice.voided': 'draft|open|uncollectible → void',
  'invoice.marked_uncollectible': 'open → uncollectible',
  'invoice.updated': 'draft|open|uncollectible → same',
  'invoice_item.created': '- → live',
  'invoice_item.updated': 'live → live',
  'invoice_item.deleted': 'live → live',
  'coupon.created': '- → live',
  'coupon.updated': 'live → live',
  'coupon.deleted': 'live → live',
  'promotion_code.created': '- → live',
  'promotion_code.updated': 'live → live',
  'refund.created': '- → pending|succeeded',
  'refund.updated': 'pending → succeeded',
  'refund.failed': 'succeeded → failed',
  'dispute.created': '- → needs_response|warning_needs_response',
  'dispute.funds_withdrawn': 'needs_response → same',
  'dispute.updated':
    'needs_response|warning_needs_response → needs_response|warning_needs_response|under_review|warning_under_review',
  'dispute.closed':
    'needs_response|under_review|warning_needs_response|warning_under_review → won|lost|warning_closed',
  'dispute.funds_reinstated': 'won → same',
  'test_clock.created': '- → ready',
  'test_clock.advancing': 'ready → advancing',
  'test_clock.ready': 'advancing → ready',
  'test_clock.internal_failure': 'advancing → internal_failure',
  'test_clock.deleting': 'ready|internal_failure → deleting',
  'test_clock.deleted': 'deleting → same',
}

const TRANSITIONS = new Map<string, { from: string[]; to: string[] }>(
  Object.entries(TRANSITION_TABLE).map(([type, row]) => {
    const [from = [], to = []] = row.split(' → ').map((states) => states.split('|'))
    return [type, { from, to }]
  }),
)

/** The types of events that do not change their object. */
const INFORMATIONAL = [
  ...['subscription.trial_will_end', 'invoice.sent', 'invoice.overdue', 'customer.deleted'],
  ...['invoice_item.deleted', 'coupon.deleted', 'test_clock.deleted', 'payment_session.payment_failed'],
]

/** P28: each event is a valid state transition, and contains a change unless its type is informational. */
export const transitionsAreValid: Invariant = function* ({ records }) {
  for (const { type, data } of records.events) {
    const { object, previous_attributes } = data
    // P25 ensures that this state equals the state in the preceding event.
    const from = previous_attributes === undefined ? '-' : stateOf({ ...object, ...previous_attributes })
    const rule = TRANSITIONS.get(type)
    const next = stateOf(object)
    const to = rule?.to.includes('same') ? [from] : (rule?.to ?? [])
    const isOwnType = type.startsWith(`${object.object}.`)
    if (!isOwnType || !rule?.from.includes(from) || !to.includes(next))
      yield `${object.id}: ${type} from ${from} to ${next}`
    const isEmpty = Object.keys(previous_attributes ?? { first: true }).length === 0
    if (isEmpty !== INFORMATIONAL.includes(type))
      yield `${object.id}: ${type} contains ${isEmpty ? 'no' : 'a'} change`
  }
}

function stateOf(object: object): string {
  if ('status' in object) return String(object.status)
  if ('card' in object && 'customer' in object) return object.customer === null ? 'detached' : 'attached'
  return 'live'
}

/** All fields with the id of another object. */
const REFERENCES = new Set<string>([
  ...REFERENCE_FIELDS,
  ...['default_payment_method', 'latest_invoice', 'latest_payment'],
])

/** P29: a completion event is the last event of its request, and every id in an event refers to an existing object. */
export const completionEventIsLast: Invariant = function* (snapshot) {
  const known = mapEventRecordsById(snapshot)
  const events = sortBySequence(snapshot.records.events)
  // Finds creation events by their missing previous attributes, because a truncated history may start with a later
  // event.
  const creations = events.filter(({ data }) => data.previous_attributes === undefined)
  const createdAt = new Map(creations.map(({ data, sequence }) => [data.object.id, sequence]))
  for (const event of events) {
    for (const id of referencesIn(event)) {
      if (!known.has(id)) yield `${event.id}: refers to ${id}, which does not exist`
      const isLate = verbOf(event.type) === 'completed' && (createdAt.get(id) ?? 0) > event.sequence
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
    for (const { field, value } of iterateNestedValues(source)) {
      if (REFERENCES.has(field) && typeof value === 'string') yield value
    }
  }
}

function verbOf(type: string): string {
  return type.split('.')[1] ?? ''
}

/** P43: ids have the format of their resource and are unique. */
export const idsAreUnique: Invariant = function* (snapshot) {
  const { records } = snapshot
  const seen = new Set<string>()
  const parts = [
    ...COLLECTION_NAMES.flatMap((name) => {
      const { idPrefix: prefix } = COLLECTION_RULES[name]
      // Skip coupons, because the merchant may choose their ids.
      if (prefix === null || name === 'coupons') return []
      return records[name].map(({ id }) => ({ id, prefix }))
    }),
    ...records.subscriptions.flatMap(({ items }) => items.map(({ id }) => ({ id, prefix: 'si_' }))),
    ...records.invoices.flatMap(({ lines }) => lines.map(({ id }) => ({ id, prefix: 'il_' }))),
  ]
  for (const { id, prefix } of parts) {
    if (!new RegExp(`^${prefix}[0-9A-Za-z]{24}$`).test(id)) yield `${id} is not ${prefix} and 24 characters`
    if (seen.has(id)) yield `${id} is not unique`
    seen.add(id)
  }
}
