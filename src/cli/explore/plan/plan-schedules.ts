import { hash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { RunRecord } from '../model/run-record.ts'
import type {
  ExplorationFault,
  FaultSchedule,
  ScheduledFault,
  ScheduledFaultOptions,
  SchedulePoint,
} from '../model/schedule.ts'
import {
  canChangeObjects,
  interleave,
  listPaymentPoints,
  rankDeliveries,
  rankForEarlyDelivery,
  rankRequests,
} from './point-ranks.ts'

/** The delay of a response, longer than short client timeouts. A longer delay would use too much of the time limit. */
const DELAY_MS = 3000
/** Maximum number of points with a delayed response, because each of these runs is slow. */
const MAX_SLOW_POINTS = 3
/** Maximum number of points with a forged signature, because apps verify signatures in a single place. */
const MAX_FORGERY_POINTS = 3
const MAX_PAIRED_FAULTS = 40
/** Maximum number of faults of a sweep. A sandbox has at most 100 fault rules. */
const MAX_SWEPT_FAULTS = 40
/** Maximum number of restarts of a sweep. Each restart takes as long as the app needs to start. */
const MAX_SWEPT_RESTARTS = 4

/** The shortest delay of an issuer decision: the issuer decides in whole seconds. */
const SHORT_WAIT = { delay_ms: 1000 } as const

const ONE_AFTER_THE_OTHER = { copies: 2, order: 'sequential' } as const
const AT_THE_SAME_TIME = { copies: 2, order: 'concurrent' } as const

interface PlanOptions {
  /** Whether faults may kill the app. */
  readonly canRestart: boolean
  /** The types of the events that may have an effect (default: all). */
  readonly effectiveTypes?: ReadonlySet<string>
}

/** The faults of one kind: one for each point at which it is tried alone, and the faults of each run with many of them. */
interface FaultKind {
  readonly alone: readonly ScheduledFault[]
  readonly together: readonly FaultSchedule[]
}

/** Returns the kinds of faults that a run suggests, the most revealing kinds and points first. */
function listFaultKinds(baseline: RunRecord, { canRestart, effectiveTypes }: PlanOptions): FaultKind[] {
  const deliveries = rankDeliveries(baseline, (type) => effectiveTypes?.has(type) ?? true)
  const requests = rankRequests(baseline)
  const { renewals, sessions } = listPaymentPoints(baseline)
  const forged = deliveries.slice(0, MAX_FORGERY_POINTS)
  const [killedDeliveries, killedRequests] = canRestart ? [deliveries, requests] : [[], []]
  const restarts = [killedDeliveries.slice(0, MAX_SWEPT_RESTARTS)]
  // Keep the order in which the app received the deliveries.
  const inOrder = baseline.deliveries.map(({ point }) => point).slice(0, MAX_SWEPT_FAULTS)
  const [firstHalf = [], ...otherHalves] = lateHalves(inOrder)
  return [
    faultKind('duplicate', deliveries, ONE_AFTER_THE_OTHER),
    faultKind('drop_response', requests.filter(canChangeObjects)),
    faultKind('decline', renewals),
    faultKind('old_timestamp', forged, {}, [deliveries]),
    faultKind('bad_signature', forged, {}, [deliveries]),
    faultKind('hold', deliveries, {}, [firstHalf]),
    faultKind('issuer_unavailable', renewals),
    faultKind('processing', sessions, SHORT_WAIT),
    faultKind('duplicate', deliveries, AT_THE_SAME_TIME),
    faultKind('error', requests, { http_status: 500 }),
    faultKind('hold', [], {}, otherHalves),
    faultKind('restart', killedDeliveries, { moment: 'after' }, restarts),
    faultKind('restart', killedDeliveries, { moment: 'acknowledged' }, restarts),
    faultKind('early', rankForEarlyDelivery(deliveries, baseline)),
    faultKind('swap', deliveries, {}, [everySecond(inOrder, 0)]),
    faultKind('drop_attempt', deliveries),
    faultKind('swap', [], {}, [everySecond(inOrder, 1)]),
    faultKind('overlap', deliveries),
    faultKind('restart', killedDeliveries, { moment: 'before' }, restarts),
    faultKind('error', requests, { http_status: 429, retry_after: 1 }),
    // The following faults rarely show a bug that the faults above do not show.
    faultKind('restart', killedRequests, { moment: 'after' }, []),
    faultKind('drop_request', requests, {}, []),
    faultKind('restart', killedRequests, { moment: 'before' }, []),
    faultKind('truncate_response', requests, {}, []),
    faultKind('error', requests, { http_status: 503 }, []),
  ]
}

function faultKind(
  fault: ExplorationFault,
  points: readonly SchedulePoint[],
  options: ScheduledFaultOptions = {},
  together: readonly (readonly SchedulePoint[])[] = [points],
): FaultKind {
  const faultsAt = (some: readonly SchedulePoint[]) => some.map((at) => ({ fault, at, options }))
  return { alone: faultsAt(points), together: together.map(faultsAt) }
}

/** Returns schedules of one kind of fault at every suitable point. A few sweeps reveal most bugs. */
export function planFaultSweeps(baseline: RunRecord, options: PlanOptions): FaultSchedule[] {
  const sweeps = listFaultKinds(baseline, options).flatMap(({ together }) => together)
  return sweeps.map((sweep) => sweep.slice(0, MAX_SWEPT_FAULTS)).filter(({ length }) => length > 0)
}

/**
 * Returns several sublists with about half of the items each. For any two items, one sublist contains the earlier item
 * without the later item. The sublist for a binary digit has the items whose index has a 0 at this digit.
 */
function lateHalves<T>(items: readonly T[]): T[][] {
  const digits = Math.ceil(Math.log2(Math.max(1, items.length)))
  return Array.from({ length: digits }, (_, digit) =>
    items.filter((_item, index) => Math.floor(index / 2 ** digit) % 2 === 0),
  )
}

/** Returns every schedule of one fault. The kinds of faults alternate; the most revealing point of a kind is first. */
export function planSingleFaults(baseline: RunRecord, options: PlanOptions): FaultSchedule[] {
  const slow = rankRequests(baseline).slice(0, MAX_SLOW_POINTS)
  const all = [
    ...interleave(listFaultKinds(baseline, options).map(({ alone }) => alone)),
    ...faultKind('delay_response', slow, { delay_ms: DELAY_MS }).alone,
  ]
  return all.map((fault) => [fault])
}

/** The faults at one point whose results together show the cause of a finding, the most revealing first. */
const RELATED: Readonly<Record<'delivery' | 'request', readonly Omit<ScheduledFault, 'at'>[]>> = {
  delivery: [
    { fault: 'duplicate', options: ONE_AFTER_THE_OTHER },
    { fault: 'hold', options: {} },
    { fault: 'duplicate', options: AT_THE_SAME_TIME },
    { fault: 'restart', options: { moment: 'after' } },
    { fault: 'overlap', options: {} },
  ],
  request: [
    { fault: 'error', options: { http_status: 500 } },
    { fault: 'drop_response', options: {} },
    { fault: 'restart', options: { moment: 'after' } },
  ],
}

/** Returns schedules of one other fault at the point of a schedule; empty for a schedule of several faults. */
export function planRelatedFaults(
  [first, ...others]: FaultSchedule,
  { canRestart }: PlanOptions,
): FaultSchedule[] {
  if (first === undefined || others.length > 0 || first.at.kind === 'payment') return []
  const { at } = first
  return RELATED[first.at.kind]
    .map((one) => ({ ...one, at }))
    .filter((one) => !isDeepStrictEqual(one, first) && (canRestart || one.fault !== 'restart'))
    .map((one) => [one])
}

function everySecond<T>(items: readonly T[], start: 0 | 1): T[] {
  return items.filter((_, index) => index % 2 === start)
}

/** Pairs of faults that find the most bugs, sorted by priority. */
const REVEALING_PAIRS: readonly (readonly [ExplorationFault, ExplorationFault])[] = [
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
 * Returns schedules of two faults at different points, sorted by the probability of a bug. `singles` must
 * contain only faults that were applied. The seed determines the order of the pairs that are not in REVEALING_PAIRS.
 */
export function planFaultPairs(
  singles: readonly FaultSchedule[],
  { seed }: { readonly seed: string },
): FaultSchedule[] {
  const faults = singles.flat().slice(0, MAX_PAIRED_FAULTS)
  const pairs = faults.flatMap((first, index) =>
    faults
      .slice(index + 1)
      .flatMap((second) => (isDeepStrictEqual(first.at, second.at) ? [] : [[first, second]])),
  )
  const byRank = Map.groupBy(pairs, rankOfPair)
  const others = (byRank.get(-1) ?? []).map((pair) => ({
    pair,
    key: hash('sha1', seed + JSON.stringify(pair)),
  }))
  return [
    ...interleave(REVEALING_PAIRS.map((_, rank) => byRank.get(rank) ?? [])),
    ...others.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ pair }) => pair),
  ]
}

/** Returns the index of a pair in REVEALING_PAIRS, or -1. */
function rankOfPair(pair: FaultSchedule): number {
  const names = pair.map(({ fault }) => fault)
  return REVEALING_PAIRS.findIndex((pair) => pair.every((name) => names.includes(name)))
}
