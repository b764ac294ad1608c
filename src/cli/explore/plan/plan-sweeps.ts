import type { RunRecord } from '../model/run-record.ts'
import type {
  DeliveryPoint,
  ExplorationFault,
  FaultSchedule,
  RequestPoint,
  ScheduledFaultOptions,
} from '../model/schedule.ts'
import {
  mayChangeObjects,
  type RankedPoint,
  rankDeliveries,
  rankForEarlyDelivery,
  rankRequests,
} from './point-ranks.ts'

/** Maximum number of faults of a sweep. A sandbox has at most 100 fault rules. */
const MAX_FAULTS = 40
/** Maximum number of restarts of a sweep. Each takes as long as the app needs to start. */
const MAX_RESTARTS = 4

/**
 * Returns schedules that apply one kind of fault at every suitable point. A few of them reveal most bugs. Delta
 * debugging then finds the faults that cause a difference.
 */
export function planFaultSweeps(
  baseline: RunRecord,
  { canRestart }: { readonly canRestart: boolean },
): FaultSchedule[] {
  const deliveries = pointsOf(rankDeliveries(baseline))
  const requests = pointsOf(rankRequests(baseline))
  const caused = pointsOf(rankForEarlyDelivery(rankDeliveries(baseline), baseline.requests))
  // In the order in which the app received them.
  const inOrder = baseline.deliveries.map(({ point }) => point).slice(0, MAX_FAULTS)
  const [firstHold = [], ...otherHolds] = lateHalves(inOrder).map((late) => sweep('hold', late))
  const sweeps: FaultSchedule[] = [
    sweep('duplicate', deliveries, { copies: 2, order: 'sequential' }),
    sweep('drop_response', requests.filter(mayChangeObjects)),
    sweep('old_timestamp', deliveries),
    sweep('bad_signature', deliveries),
    firstHold,
    sweep('duplicate', deliveries, { copies: 2, order: 'concurrent' }),
    sweep('error', requests, { http_status: 500 }),
    ...otherHolds,
    canRestart ? sweep('restart', deliveries.slice(0, MAX_RESTARTS), { moment: 'after' }) : [],
    canRestart ? sweep('restart', deliveries.slice(0, MAX_RESTARTS), { moment: 'acknowledged' }) : [],
    sweep('early', caused),
    sweep('swap', everySecond(inOrder, 0)),
    sweep('drop_attempt', deliveries),
    sweep('swap', everySecond(inOrder, 1)),
    sweep('overlap', deliveries),
    canRestart ? sweep('restart', deliveries.slice(0, MAX_RESTARTS), { moment: 'before' }) : [],
    sweep('error', requests, { http_status: 429, retry_after: 1 }),
  ]
  return sweeps.filter(({ length }) => length > 0)
}

function sweep(
  fault: ExplorationFault,
  points: readonly (RequestPoint | DeliveryPoint)[],
  options: ScheduledFaultOptions = {},
): FaultSchedule {
  return points.slice(0, MAX_FAULTS).map((at) => ({ fault, at, options }))
}

function pointsOf<Point extends RequestPoint | DeliveryPoint>(
  ranked: readonly RankedPoint<Point>[],
): Point[] {
  return ranked.map(({ at }) => at)
}

/**
 * Returns halves of a list. For each two items, one half contains the earlier item and not the later one. Each half has
 * the items whose index has a 0 at one binary digit.
 */
function lateHalves<T>(items: readonly T[]): T[][] {
  const digits = Math.ceil(Math.log2(Math.max(1, items.length)))
  return Array.from({ length: digits }, (_, digit) =>
    items.filter((_item, index) => Math.floor(index / 2 ** digit) % 2 === 0),
  )
}

function everySecond<T>(items: readonly T[], start: 0 | 1): T[] {
  return items.filter((_, index) => index % 2 === start)
}
