import type { Payment } from '../../../domain/payments/payments.ts'
import type { RecordedDelivery, RunRecord } from '../model/run-record.ts'
import type { DeliveryPoint, PaymentPoint, RequestPoint, SchedulePoint } from '../model/schedule.ts'

/** The number added to the rank for each earlier occurrence. Repetitions rarely show other bugs. */
const RANK_OF_REPETITION = 10
/** Maximum number of occurrences of an operation or event type that are explored. */
const MAX_OCCURRENCES = 20

/** Event types by rank, the index of the first pattern that matches. Types that fulfill orders most likely show a bug. */
const EVENT_RANKS: readonly RegExp[] = [
  /^(?:payment|checkout|card)_session\.completed$|^invoice\.paid$/,
  /^payment\.(?:succeeded|refunded)$/,
  /^subscription\.(?!created)|^invoice\.payment_failed$/,
  /^(?:subscription|invoice|payment|payment_method)\./,
]

/** Operations by rank: requests that move money first, reads last. */
const OPERATION_RANKS: readonly RegExp[] = [
  /^(?:payments|refunds|invoice_items)\.create$|^invoices\.pay$/,
  /^subscriptions\.(?!list|retrieve)|_sessions\.create$/,
  /\.create$/,
  /\.(?!list|retrieve)\w+$/,
  /\.retrieve$/,
]
const READ = /\.(?:list|retrieve)$/

/** The number added to the rank of deliveries that the app acknowledges without an effect. */
const RANK_OF_NO_EFFECT = 200
/** The number subtracted from the rank of deliveries with API requests, and of these requests. */
const WORK_BONUS = 1.5

/** Returns the deliveries of a run, sorted by the probability of a bug. Deliveries that cause requests come first. */
export function rankDeliveries(
  { deliveries, requests }: RunRecord,
  isEffective: (type: string) => boolean,
): DeliveryPoint[] {
  return sortByRank(deliveries, (delivery) => {
    const isWork = requests.some(({ atMs }) => isDuring(delivery, atMs))
    const { event_type: type } = delivery.point
    const rank = rankOf(type, EVENT_RANKS) + (isEffective(type) ? 0 : RANK_OF_NO_EFFECT)
    return rank - (isWork ? WORK_BONUS : 0)
  })
}

/** Returns the requests of a run, sorted by the probability of a bug. Changes without an idempotency key rank higher. */
export function rankRequests({ requests, deliveries }: RunRecord): RequestPoint[] {
  const known = requests.filter(({ point }) => !point.operation.includes(' '))
  return sortByRank(known, ({ point, idempotencyKey, atMs }) => {
    const isUnsafe = idempotencyKey === null && canChangeObjects(point)
    const isWork = deliveries.some((delivery) => isDuring(delivery, atMs))
    return rankOf(point.operation, OPERATION_RANKS) - (isUnsafe ? 0.5 : 0) - (isWork ? WORK_BONUS : 0)
  })
}

function isDuring({ atMs, durationMs }: RecordedDelivery, time: number): boolean {
  return time >= atMs && time <= atMs + durationMs
}

function rankOf(name: string, patterns: readonly RegExp[]): number {
  const rank = patterns.findIndex((pattern) => pattern.test(name))
  return rank === -1 ? patterns.length : rank
}

function sortByRank<Recorded extends { readonly point: SchedulePoint }>(
  recorded: readonly Recorded[],
  rank: (one: Recorded) => number,
): Recorded['point'][] {
  return recorded
    .filter(({ point }) => point.occurrence <= MAX_OCCURRENCES)
    .map((one) => ({ at: one.point, rank: rank(one) + (one.point.occurrence - 1) * RANK_OF_REPETITION }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ at }) => at)
}

/** Returns whether a request may create, change or delete objects. */
export function canChangeObjects({ operation }: RequestPoint): boolean {
  return !READ.test(operation)
}

/** Returns the deliveries of changed resources first, because their early arrival most likely shows a bug. */
export function rankForEarlyDelivery(
  points: readonly DeliveryPoint[],
  { requests }: RunRecord,
): DeliveryPoint[] {
  const changes = requests.map(({ point }) => point).filter(canChangeObjects)
  const resources = new Set(changes.map(({ operation }) => operation.split('.')[0]))
  const isCaused = (at: DeliveryPoint) => resources.has(`${resourceOf(at)}s`)
  return [...points.filter(isCaused), ...points.filter((at) => !isCaused(at))]
}

function resourceOf({ event_type }: DeliveryPoint): string {
  return event_type.split('.')[0] ?? ''
}

/**
 * Returns the charges of renewals in a run, and the charges of sessions that the issuer can delay. On a test clock, a
 * delay would end only when the scenario advances the clock.
 */
export function listPaymentPoints({ outcome, issuerDecisions }: RunRecord) {
  const payments: readonly Partial<Payment>[] = outcome.objects['payments'] ?? []
  // The issuer decides on a saved card before the first charge of the card.
  const cards = Math.max(0, issuerDecisions - payments.length)
  const toPoint = (occurrence: number): PaymentPoint => ({ kind: 'payment', occurrence })
  const isRenewal = ({ origin, off_session }: Partial<Payment>) =>
    origin === 'invoice' && off_session === true
  const sessions = payments.filter(({ origin = '' }) => origin.endsWith('_session'))
  return {
    renewals: payments.flatMap((one, index) => (isRenewal(one) ? [toPoint(cards + index + 1)] : [])),
    sessions: sessions.flatMap(({ test_clock }, index) => (test_clock == null ? [toPoint(index + 1)] : [])),
  }
}

/** Returns the first item of each list, then the second item of each list, and so on. */
export function interleave<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  return Array.from({ length: longest }, (_, index) =>
    lists.flatMap((list) => list.slice(index, index + 1)),
  ).flat()
}
