import { toCanonicalJson } from '../../../domain/text/canonical-json.ts'
import type { RunRecord } from '../model/run-record.ts'
import {
  type ExplorationFault,
  type FaultSchedule,
  isSamePoint,
  type ScheduledFault,
  type ScheduledFaultOptions,
  type SchedulePoint,
} from '../model/schedule.ts'
import {
  canChangeObjects,
  interleave,
  listPaymentPoints,
  rankDeliveries,
  rankForEarlyDelivery,
  rankForLateDelivery,
  rankRequests,
} from './point-ranks.ts'

/** The delay of a response, longer than short client timeouts. A longer delay would use too much of the time limit. */
const DELAY_MS = 3000
/** Maximum number of points with a delayed response, because each of these runs is slow. */
const MAX_SLOW_POINTS = 3
/** Maximum number of points with a forged signature, because apps verify signatures in a single place. */
const MAX_FORGERY_POINTS = 3
/**
 * Number of schedules with main faults before the first schedule with a rare fault. Rare faults mostly find the same
 * bugs as the main faults.
 */
const MAIN_FIRST = 20
const MAX_PAIRED_FAULTS = 40
/** Maximum number of faults of a sweep. A sandbox has at most 100 fault rules. */
const MAX_SWEPT_FAULTS = 40
/** Maximum number of restarts of a sweep. Each restart takes as long as the app needs to start. */
const MAX_SWEPT_RESTARTS = 4

/** The shortest delay of an issuer decision: the issuer decides in whole seconds. */
const SHORT_WAIT = { delay_ms: 1000 } as const

const ONE_AFTER_THE_OTHER = { copies: 2, order: 'sequential' } as const
const AT_THE_SAME_TIME = { copies: 2, order: 'concurrent' } as const

/** Returns one fault for each point. */
function faultsAt(
  points: readonly SchedulePoint[],
  fault: ExplorationFault,
  options: ScheduledFaultOptions = {},
): ScheduledFault[] {
  return points.map((at) => ({ fault, at, options }))
}

interface PlanOptions {
  /** Whether faults may kill the app. */
  readonly canRestart: boolean
  /** The types of the events that may have an effect (default: all). */
  readonly effectiveTypes?: ReadonlySet<string>
}

/** Returns the points of a run at which each kind of fault is tried, the most revealing first. */
function rankPoints(baseline: RunRecord, { effectiveTypes }: PlanOptions) {
  const deliveries = rankDeliveries(baseline, (type) => effectiveTypes?.has(type) ?? true)
  const requests = rankRequests(baseline)
  return {
    ...{ deliveries, requests, changes: requests.filter(canChangeObjects) },
    late: rankForLateDelivery(deliveries, baseline),
    early: rankForEarlyDelivery(deliveries, baseline),
    ...listPaymentPoints(baseline),
  }
}

/** Returns schedules of one kind of fault at every suitable point. A few sweeps reveal most bugs. */
export function planFaultSweeps(baseline: RunRecord, options: PlanOptions): FaultSchedule[] {
  const { canRestart } = options
  const { deliveries, requests, changes, early, renewals, sessions } = rankPoints(baseline, options)
  const restarts = canRestart ? deliveries.slice(0, MAX_SWEPT_RESTARTS) : []
  // Keep the order in which the app received the deliveries.
  const inOrder = baseline.deliveries.map(({ point }) => point).slice(0, MAX_SWEPT_FAULTS)
  const [firstHold = [], ...otherHolds] = lateHalves(inOrder).map((half) => faultsAt(half, 'hold'))
  const sweeps: FaultSchedule[] = [
    faultsAt(deliveries, 'duplicate', ONE_AFTER_THE_OTHER),
    faultsAt(changes, 'drop_response'),
    faultsAt(renewals, 'decline'),
    faultsAt(deliveries, 'old_timestamp'),
    faultsAt(deliveries, 'bad_signature'),
    firstHold,
    faultsAt(renewals, 'issuer_unavailable'),
    faultsAt(sessions, 'processing', SHORT_WAIT),
    faultsAt(deliveries, 'duplicate', AT_THE_SAME_TIME),
    faultsAt(requests, 'error', { http_status: 500 }),
    ...otherHolds,
    faultsAt(restarts, 'restart', { moment: 'after' }),
    faultsAt(restarts, 'restart', { moment: 'acknowledged' }),
    faultsAt(early, 'early'),
    faultsAt(everySecond(inOrder, 0), 'swap'),
    faultsAt(deliveries, 'drop_attempt'),
    faultsAt(everySecond(inOrder, 1), 'swap'),
    faultsAt(deliveries, 'overlap'),
    faultsAt(restarts, 'restart', { moment: 'before' }),
    faultsAt(requests, 'error', { http_status: 429, retry_after: 1 }),
  ]
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
  const { canRestart } = options
  const { deliveries, requests, changes, late, early, renewals, sessions } = rankPoints(baseline, options)
  const [restartedDeliveries, restartedRequests] = canRestart ? [deliveries, requests] : [[], []]
  const main = interleave([
    faultsAt(everySecond(deliveries, 0), 'duplicate', ONE_AFTER_THE_OTHER),
    faultsAt(changes, 'drop_response'),
    faultsAt(renewals, 'decline'),
    faultsAt(late, 'hold'),
    faultsAt(restartedDeliveries, 'restart', { moment: 'after' }),
    faultsAt(restartedDeliveries, 'restart', { moment: 'acknowledged' }),
    faultsAt(everySecond(deliveries, 1), 'duplicate', ONE_AFTER_THE_OTHER),
    faultsAt(deliveries.slice(0, MAX_FORGERY_POINTS), 'bad_signature'),
    faultsAt(requests, 'error', { http_status: 500 }),
    faultsAt(deliveries, 'duplicate', AT_THE_SAME_TIME),
    faultsAt(early, 'early'),
    faultsAt(restartedRequests, 'restart', { moment: 'after' }),
    faultsAt(deliveries.slice(0, MAX_FORGERY_POINTS), 'old_timestamp'),
    faultsAt(late, 'swap'),
    faultsAt(deliveries, 'overlap'),
    faultsAt(deliveries, 'drop_attempt'),
    faultsAt(renewals, 'issuer_unavailable'),
    faultsAt(sessions, 'processing', SHORT_WAIT),
  ])
  const rare = interleave([
    faultsAt(requests, 'error', { http_status: 429, retry_after: 1 }),
    faultsAt(restartedDeliveries, 'restart', { moment: 'before' }),
    faultsAt(requests, 'drop_request'),
    faultsAt(restartedRequests, 'restart', { moment: 'before' }),
    faultsAt(requests, 'truncate_response'),
    faultsAt(requests, 'error', { http_status: 503 }),
  ])
  const slow = faultsAt(requests.slice(0, MAX_SLOW_POINTS), 'delay_response', { delay_ms: DELAY_MS })
  const all = [...main.slice(0, MAIN_FIRST), ...interleave([main.slice(MAIN_FIRST), rare]), ...slow]
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
    .filter(
      (one) => toCanonicalJson(one) !== toCanonicalJson(first) && (canRestart || one.fault !== 'restart'),
    )
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
    faults.slice(index + 1).flatMap((second) => (isSamePoint(first.at, second.at) ? [] : [[first, second]])),
  )
  const byRank = Map.groupBy(pairs, rankOfPair)
  const orders = new Map(pairs.map((pair, index) => [pair, hash(`${seed} ${index}`)]))
  const others = byRank.get(-1) ?? []
  return [
    ...interleave(REVEALING_PAIRS.map((_, rank) => byRank.get(rank) ?? [])),
    ...others.toSorted((a, b) => Number(orders.get(a)) - Number(orders.get(b))),
  ]
}

/** Returns the index of a pair in REVEALING_PAIRS, or -1. */
function rankOfPair(pair: FaultSchedule): number {
  const names = pair.map(({ fault }) => fault)
  return REVEALING_PAIRS.findIndex((pair) => pair.every((name) => names.includes(name)))
}

/** Returns the FNV-1a hash of a string. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (const character of text) value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return value >>> 0
}
