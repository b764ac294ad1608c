import { canonicalJson } from '../../../domain/text/canonical-json.ts'
import type { RunRecord } from '../model/run-record.ts'
import type {
  DeliveryPoint,
  ExplorationFault,
  FaultSchedule,
  RequestPoint,
  ScheduledFault,
  ScheduledFaultOptions,
} from '../model/schedule.ts'
import {
  interleave,
  mayChangeObjects,
  type RankedPoint,
  rankDeliveries,
  rankForEarlyDelivery,
  rankForLateDelivery,
  rankRequests,
} from './point-ranks.ts'

export interface PlanOptions {
  /** Determines the order of the pairs that are not in TELLING_PAIRS. */
  readonly seed: string
  /** Whether the app may be killed, which requires that its state survives a restart. */
  readonly canRestart: boolean
}

/** A delay of 3 s exceeds the shorter client timeouts. Longer ones would use too much of the exploration's time limit. */
const DELAY_MS = 3000
/** Responses are delayed at this many points, because each of these runs is slow. */
const MAX_SLOW_POINTS = 3
/** Signatures are verified in one place, so few points are enough. */
const MAX_FORGERY_POINTS = 3
/** Number of schedules of the main kinds of faults before those of rare kinds, which mostly find the same bugs. */
const MAIN_FIRST = 20
const MAX_PAIRED_FAULTS = 40

type FaultOf<Point> = (at: Point) => ScheduledFault

function at<Point extends RequestPoint | DeliveryPoint>(
  fault: ExplorationFault,
  options: ScheduledFaultOptions = {},
): FaultOf<Point> {
  return (point) => ({ fault, at: point, options })
}

/**
 * Returns every schedule of one fault. The kinds of faults alternate, and each begins where it most likely reveals a
 * bug, so that a short exploration tries each kind.
 */
export function planSingleFaults(
  baseline: RunRecord,
  { canRestart }: Pick<PlanOptions, 'canRestart'>,
): FaultSchedule[] {
  const deliveries = rankDeliveries(baseline)
  const requests = rankRequests(baseline)
  const changes = requests.filter(({ at: point }) => mayChangeObjects(point))
  const overtaken = rankForLateDelivery(deliveries, baseline)
  const restarts = canRestart ? { deliveries, requests } : { deliveries: [], requests: [] }
  const main = interleave([
    apply(everySecond(deliveries, 0), at('duplicate', { copies: 2, order: 'sequential' })),
    apply(changes, at('drop_response')),
    apply(overtaken, at('hold')),
    apply(restarts.deliveries, at('restart', { moment: 'after' })),
    apply(restarts.deliveries, at('restart', { moment: 'acknowledged' })),
    apply(everySecond(deliveries, 1), at('duplicate', { copies: 2, order: 'sequential' })),
    apply(deliveries.slice(0, MAX_FORGERY_POINTS), at('bad_signature')),
    apply(requests, at('error', { http_status: 500 })),
    apply(deliveries, at('duplicate', { copies: 2, order: 'concurrent' })),
    apply(rankForEarlyDelivery(deliveries, baseline.requests), at('early')),
    apply(restarts.requests, at('restart', { moment: 'after' })),
    apply(deliveries.slice(0, MAX_FORGERY_POINTS), at('old_timestamp')),
    apply(overtaken, at('swap')),
    apply(deliveries, at('overlap')),
    apply(deliveries, at('drop_attempt')),
  ])
  const rare = interleave([
    apply(requests, at('error', { http_status: 429, retry_after: 1 })),
    apply(restarts.deliveries, at('restart', { moment: 'before' })),
    apply(requests, at('drop_request')),
    apply(restarts.requests, at('restart', { moment: 'before' })),
    apply(requests, at('truncate_response')),
    apply(requests.slice(0, MAX_SLOW_POINTS), at('delay_response', { delay_ms: DELAY_MS })),
    apply(requests, at('error', { http_status: 503 })),
  ])
  const all = [...main.slice(0, MAIN_FIRST), ...interleave([main.slice(MAIN_FIRST), rare])]
  return all.map((fault) => [fault])
}

function everySecond<T>(items: readonly T[], start: 0 | 1): T[] {
  return items.filter((_, index) => index % 2 === start)
}

function apply<Point extends RequestPoint | DeliveryPoint>(
  points: readonly RankedPoint<Point>[],
  create: FaultOf<Point>,
): ScheduledFault[] {
  return points.map(({ at: point }) => create(point))
}

/** Pairs that find the most bugs, by the names of their faults; the first has the highest priority. */
const TELLING_PAIRS: readonly (readonly [ExplorationFault, ExplorationFault])[] = [
  ['duplicate', 'restart'],
  ['drop_response', 'duplicate'],
  ['hold', 'duplicate'],
  ['drop_response', 'restart'],
  ['hold', 'drop_attempt'],
  ['error', 'duplicate'],
  ['drop_response', 'hold'],
  ['swap', 'duplicate'],
  ['early', 'duplicate'],
]

/**
 * Returns schedules of two faults at different points, those that most likely reveal a bug first. `singles` must
 * contain only faults that were applied.
 */
export function planFaultPairs(
  singles: readonly FaultSchedule[],
  { seed }: Pick<PlanOptions, 'seed'>,
): FaultSchedule[] {
  const faults = singles.flat().slice(0, MAX_PAIRED_FAULTS)
  const pairs = faults.flatMap((first, index) =>
    faults.slice(index + 1).flatMap((second) => (isSamePoint(first, second) ? [] : [[first, second]])),
  )
  const ranked = pairs.map((pair, index) => ({
    pair,
    rank: rankOfPair(pair),
    order: hash(`${seed} ${index}`),
  }))
  const byTemplate = Map.groupBy(ranked, ({ rank }) => rank)
  const others = byTemplate.get(TELLING_PAIRS.length) ?? []
  const telling = TELLING_PAIRS.map((_, rank) => (byTemplate.get(rank) ?? []).map(({ pair }) => pair))
  return [...interleave(telling), ...others.toSorted((a, b) => a.order - b.order).map(({ pair }) => pair)]
}

function rankOfPair(pair: FaultSchedule): number {
  const names = pair
    .map(({ fault }) => fault)
    .sort()
    .join()
  const rank = TELLING_PAIRS.findIndex((template) => [...template].sort().join() === names)
  return rank === -1 ? TELLING_PAIRS.length : rank
}

function isSamePoint(first: ScheduledFault, second: ScheduledFault): boolean {
  return canonicalJson(first.at) === canonicalJson(second.at)
}

/** Returns a number that depends only on a text, by the hash FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (const character of text) value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return value >>> 0
}
