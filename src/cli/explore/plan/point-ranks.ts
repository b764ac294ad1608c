import type { RecordedDelivery, RecordedRequest, RunRecord } from '../model/run-record.ts'
import type { DeliveryPoint, RequestPoint } from '../model/schedule.ts'

/** A request or delivery of the run without faults. A lower rank is explored earlier. */
export interface RankedPoint<Point extends RequestPoint | DeliveryPoint> {
  readonly at: Point
  readonly rank: number
}

/** Added to the rank for each earlier occurrence: repetitions rarely show a bug that the first occurrence does not. */
const RANK_OF_REPETITION = 10
/** Maximum number of occurrences of an operation or event type that are explored. */
const MAX_OCCURRENCES = 20

/**
 * Ranks of event types. Types on which handlers fulfill orders, as the webhook guide recommends, most likely reveal a
 * bug.
 */
const EVENT_RANKS: readonly (readonly [RegExp, number])[] = [
  [/^(?:payment|checkout|card)_session\.completed$|^invoice\.paid$/, 0],
  [/^payment\.(?:succeeded|refunded)$/, 1],
  [/^subscription\.(?!created)|^invoice\.payment_failed$/, 2],
  [/^(?:subscription|invoice|payment|payment_method)\./, 3],
]
const LAST_EVENT_RANK = 4

/** Ranks of operations: requests that move money first, reads last. */
const OPERATION_RANKS: readonly (readonly [RegExp, number])[] = [
  [/^(?:payments|refunds|invoice_items)\.create$|^invoices\.pay$/, 0],
  [/^subscriptions\.(?!list|retrieve)|_sessions\.create$/, 1],
  [/\.create$/, 2],
  [/\.(?!list|retrieve)\w+$/, 3],
  [/\.retrieve$/, 4],
]
const LAST_OPERATION_RANK = 5
const READ = /\.(?:list|retrieve)$/

/** Subtracted from the rank of points at which a webhook handler sends requests. */
const WORK_BONUS = 1.5

/**
 * Returns the deliveries of a run, those that most likely reveal a bug first. Deliveries during which the app sent
 * requests rank higher.
 */
export function rankDeliveries({ deliveries, requests }: RunRecord): RankedPoint<DeliveryPoint>[] {
  const ranked = deliveries.map((delivery) => {
    const isWork = requests.some(({ atMs }) => isDuring(delivery, atMs))
    const rank = rankOf(delivery.point.event_type, EVENT_RANKS, LAST_EVENT_RANK) - (isWork ? WORK_BONUS : 0)
    return { at: delivery.point, rank: rank + repetitionRank(delivery.point.occurrence) }
  })
  return sortByRank(ranked)
}

function isDuring({ atMs, durationMs }: RecordedDelivery, time: number): boolean {
  return time >= atMs && time <= atMs + durationMs
}

/**
 * Returns the requests of a run, those that most likely reveal a bug first. Changes without an idempotency key rank
 * higher.
 */
export function rankRequests({ requests, deliveries }: RunRecord): RankedPoint<RequestPoint>[] {
  const known = requests.filter(({ point }) => !point.operation.includes(' '))
  const ranked = known.map(({ point, idempotencyKey, atMs }) => {
    const isUnsafe = idempotencyKey === null && mayChangeObjects(point)
    const isWork = deliveries.some((delivery) => isDuring(delivery, atMs))
    const bonus = (isUnsafe ? 0.5 : 0) + (isWork ? WORK_BONUS : 0)
    const rank = rankOf(point.operation, OPERATION_RANKS, LAST_OPERATION_RANK) - bonus
    return { at: point, rank: rank + repetitionRank(point.occurrence) }
  })
  return sortByRank(ranked)
}

/** Returns whether a request may change something. */
export function mayChangeObjects({ operation }: RequestPoint): boolean {
  return !READ.test(operation)
}

/**
 * Returns the deliveries in the order in which a late one most likely reveals a bug. Deliveries before a later event of
 * the same resource alternate with the others.
 */
export function rankForLateDelivery(
  points: readonly RankedPoint<DeliveryPoint>[],
  { deliveries }: RunRecord,
): RankedPoint<DeliveryPoint>[] {
  const isOvertaken = ({ event_type, occurrence }: DeliveryPoint) => {
    const index = deliveries.findIndex(
      ({ point }) => point.event_type === event_type && point.occurrence === occurrence,
    )
    return deliveries
      .slice(index + 1)
      .some(({ point }) => resourceOf(point.event_type) === resourceOf(event_type))
  }
  const overtaken = points.filter(({ at }) => isOvertaken(at))
  const last = points.filter((point) => !overtaken.includes(point))
  return interleave([overtaken, last])
}

/**
 * Returns the deliveries in the order in which an early one most likely reveals a bug: first those of resources that
 * the app changed.
 */
export function rankForEarlyDelivery(
  points: readonly RankedPoint<DeliveryPoint>[],
  requests: readonly RecordedRequest[],
): RankedPoint<DeliveryPoint>[] {
  const resources = new Set(
    requests.filter(({ point }) => mayChangeObjects(point)).map(({ point }) => point.operation.split('.')[0]),
  )
  const isCaused = ({ at }: RankedPoint<DeliveryPoint>) => resources.has(`${resourceOf(at.event_type)}s`)
  return [...points.filter(isCaused), ...points.filter((point) => !isCaused(point))]
}

function resourceOf(eventType: string): string {
  return eventType.split('.')[0] ?? ''
}

/** Returns the first of each list, then the second of each, and so on. */
export function interleave<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  return Array.from({ length: longest }, (_, index) =>
    lists.flatMap((list) => list.slice(index, index + 1)),
  ).flat()
}

function rankOf(name: string, ranks: readonly (readonly [RegExp, number])[], last: number): number {
  return ranks.find(([pattern]) => pattern.test(name))?.[1] ?? last
}

function repetitionRank(occurrence: number): number {
  return (occurrence - 1) * RANK_OF_REPETITION
}

function sortByRank<Point extends RequestPoint | DeliveryPoint>(
  points: readonly RankedPoint<Point>[],
): RankedPoint<Point>[] {
  return points.filter(({ at }) => at.occurrence <= MAX_OCCURRENCES).toSorted((a, b) => a.rank - b.rank)
}
