import type { Invoice } from '../../domain/billing/invoices.ts'
import type { PauseCollection } from '../../domain/billing/pause-collection.ts'
import type { Subscription } from '../../domain/billing/subscriptions.ts'
import type { Event } from '../../domain/events/events.ts'
import { createClockTimeLookup, groupEventsByObject, type Invariant, sortBySequence } from './snapshot.ts'

/** P44: a pause ends at `resumes_at`, and its behavior determines the handling of invoices created during the pause. */
export const pausesApplyToNewInvoices: Invariant = function* (snapshot) {
  const timeOf = createClockTimeLookup(snapshot)
  for (const subscription of snapshot.records.subscriptions) {
    const { id, status, test_clock } = subscription
    const resumesAt = subscription.pause_collection?.resumes_at ?? null
    const now = timeOf(test_clock)
    const isMissed = resumesAt !== null && now !== null && resumesAt <= now
    if (status !== 'canceled' && isMissed) yield `${id}: did not resume collection at ${resumesAt}`
  }
  const history = groupEventsByObject(snapshot)
  for (const { invoice, pause } of pausedInvoices(snapshot.records.events)) {
    const events = history.get(invoice.id) ?? []
    if (!isHandled(events, pause)) yield `${invoice.id}: not handled by the behavior ${pause.behavior}`
  }
}

/**
 * Returns the drafts that were created during a pause of their subscription, each with its pause. The last invoice of a
 * cancellation is not included, because its request collects it even during a pause.
 */
function pausedInvoices(events: readonly Event[]) {
  const canceled = events.filter(({ type }) => type === 'subscription.canceled')
  const cancellations = new Set(canceled.map(({ request }) => request?.id))
  const pauses = new Map<string | null, PauseCollection | null>()
  return sortBySequence(events).flatMap(({ type, request, data: { object } }) => {
    if (object.object === 'subscription') pauses.set(object.id, (object as Subscription).pause_collection)
    if (type !== 'invoice.created') return []
    const invoice = object as Invoice
    const pause = pauses.get(invoice.subscription) ?? null
    const isRequested = request !== null && cancellations.has(request.id)
    return pause === null || isRequested ? [] : [{ invoice, pause }]
  })
}

/** The events of an invoice that follow from the behavior of a pause. A free invoice is paid instead. */
const NEXT_EVENTS = {
  keep_as_draft: [],
  void: ['invoice.voided'],
  mark_uncollectible: ['invoice.finalized', 'invoice.marked_uncollectible'],
}

function isHandled([created, ...later]: readonly Event[], { behavior }: PauseCollection): boolean {
  const invoice = created?.data.object as Invoice
  const next = (later[0]?.data.object ?? invoice) as Invoice
  const isPaidInstead = behavior === 'mark_uncollectible' && next.amount_due === 0
  const expected = isPaidInstead ? ['invoice.finalized', 'invoice.paid'] : NEXT_EVENTS[behavior]
  const isFollowed = expected.every((type, index) => later[index]?.type === type)
  // Only a request may finalize an invoice that a pause keeps as a draft.
  const isKept = behavior !== 'keep_as_draft' || later[0]?.request !== null
  return !invoice.auto_advance && isFollowed && isKept
}
