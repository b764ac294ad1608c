import {
  type Change,
  type Creation,
  creation,
  type Decision,
  type Mutation,
  mutation,
  type RuleContext,
} from './changes.ts'
import { DomainError, type Doubtful, refuseProblems, type ValidationError } from './domain-error.ts'
import { momentText } from './moment-text.ts'
import { boundary, type Interval } from './periods.ts'
import { millisecondProblems } from './unix-seconds.ts'

/** A time of their own for the customers on it, which only moves when it is advanced; Unix seconds. */
export interface TestClock {
  readonly id: string
  readonly object: 'test_clock'
  readonly created: number
  readonly livemode: false
  readonly name: string | null
  readonly frozen_time: number
  readonly status: 'ready' | 'advancing' | 'deleting' | 'internal_failure'
  readonly status_details: { readonly advancing: { readonly target_frozen_time: number } | null }
}

/** What is left of a clock: what happened on it stays readable, but its time does not move any more. */
export interface DeletedTestClock {
  readonly id: string
  readonly object: 'test_clock'
  readonly deleted: true
}

/** A length of time: whole units of the calendar. */
export interface Span {
  readonly interval: 'hour' | Interval
  readonly count: number
}

const MAX_YEARS = 10
const SECONDS_PER_HOUR = 3600
const ELSEWHERE = 'Use objects of another clock, or of real time.'

/** A clock that stands at a moment. */
export function createTestClock(
  fields: { readonly frozen_time: number; readonly name?: string },
  context: RuleContext,
): Creation<TestClock> {
  refuseProblems(frozenTimeProblems(fields.frozen_time))
  return creation('test_clock.created', {
    id: context.newId('clock_'),
    object: 'test_clock',
    created: context.wallNow,
    livemode: false,
    name: fields.name ?? null,
    frozen_time: fields.frozen_time,
    status: 'ready',
    status_details: { advancing: null },
  })
}

/** What is wrong with the time of a clock whatever clock it is: milliseconds are no Unix seconds. */
export function frozenTimeProblems(moment: number | null | undefined): ValidationError[] {
  return millisecondProblems('frozen_time', moment)
}

/** Whether this is the stub of a deleted clock. */
export function isDeletedClock(clock: TestClock | DeletedTestClock): clock is DeletedTestClock {
  return 'deleted' in clock
}

/** Where a clock stands after so much more time, in Unix seconds; months end as billing periods do. */
export function timeAfter(clock: TestClock, { interval, count }: Span): number {
  if (interval === 'hour') return clock.frozen_time + count * SECONDS_PER_HOUR
  return boundary({ anchor: clock.frozen_time, interval, interval_count: count }, 1)
}

/** Where a clock is to go: a moment in Unix seconds, or so much further; one of them. */
export interface Destination {
  readonly frozen_time?: number
  readonly by?: Span
}

/** Where a clock is to go, in Unix seconds, and the parameter that says so. */
export interface Target {
  readonly until: number
  readonly param: keyof Destination
}

/** What is wrong with a destination whatever clock is to go there: it says none, or two, or is in milliseconds. */
export function destinationProblems({ frozen_time, by }: Doubtful<Destination>): ValidationError[] {
  if (frozen_time === undefined && by === undefined) {
    const message =
      'Say where the clock goes: frozen_time in Unix seconds, or by, such as {"interval":"month","count":1}.'
    return [{ code: 'parameter_missing', param: 'frozen_time', message }]
  }
  const problems = frozenTimeProblems(frozen_time)
  if (frozen_time === undefined || by === undefined) return problems
  const message = 'Give frozen_time or by, not both.'
  return [...problems, { code: 'parameters_exclusive', param: 'by', message }]
}

/** The moment a clock is to go to; refuses a destination that is none. */
export function targetOf(clock: TestClock, destination: Destination): Target {
  refuseProblems(destinationProblems(destination))
  const { frozen_time: until = clock.frozen_time, by } = destination
  return by === undefined ? { until, param: 'frozen_time' } : { until: timeAfter(clock, by), param: 'by' }
}

/** Refuses a moment that a clock cannot go to: behind it, or too far ahead. */
export function requireTarget(clock: TestClock, { until, param }: Target): void {
  if (until <= clock.frozen_time) {
    throw new DomainError(
      'test_clock_not_forward',
      `Test clock '${clock.id}' stands at ${momentText(clock.frozen_time)} and cannot go to ${momentText(until)}: time only moves forward. Give a later Unix time in seconds.`,
      { param },
    )
  }
  const furthest = boundary({ anchor: clock.frozen_time, interval: 'year', interval_count: MAX_YEARS }, 1)
  if (until <= furthest) return
  throw tooFar(clock, { why: `more than ${MAX_YEARS} years ahead; go to ${furthest} at most`, param })
}

/** The clock begins to move to a moment; refuses to move it back, or further than ten years. */
export function beginAdvance(clock: TestClock, target: number): Mutation<TestClock> {
  requireTarget(clock, { until: target, param: 'frozen_time' })
  return mutation('test_clock.advancing', clock, {
    ...clock,
    status: 'advancing',
    status_details: { advancing: { target_frozen_time: target } },
  })
}

/** The refusal of an advance that would take too long. */
export function tooFar(
  { id }: TestClock,
  { why, param }: { readonly why: string; readonly param: keyof Destination },
): DomainError {
  return new DomainError(
    'test_clock_too_far',
    `Test clock '${id}' cannot be advanced so far: that is ${why}.`,
    {
      param,
    },
  )
}

/** All that was due is done: the clock stands at its new time. */
export function endAdvance(clock: TestClock, target: number): Mutation<TestClock> {
  return mutation('test_clock.ready', clock, {
    ...clock,
    frozen_time: target,
    status: 'ready',
    status_details: { advancing: null },
  })
}

/** Something that was due at a moment could not be done: the clock stands there, behind all that it did. */
export function breakClock(clock: TestClock, at = clock.frozen_time): Mutation<TestClock> {
  return mutation('test_clock.internal_failure', clock, {
    ...clock,
    frozen_time: Math.max(clock.frozen_time, at),
    status: 'internal_failure',
    status_details: { advancing: null },
  })
}

/** A clock that breaks in the middle of an advance, as it would by a failure of the service itself. */
export function failClock(clock: TestClock): Decision<TestClock> {
  timeOn(clock, clock.id)
  const begun = beginAdvance(clock, clock.frozen_time + 1)
  const broken = breakClock(begun.after)
  return { changes: [begun, broken], result: broken.after }
}

/** The clock begins to go, and nobody changes anything on it any more; refuses one that is on its way elsewhere. */
export function beginDeletion(clock: TestClock): Mutation<TestClock> {
  // A broken clock can be deleted, so its time is not asked for.
  if (clock.status === 'advancing') timeOn(clock, clock.id)
  return mutation('test_clock.deleting', clock, { ...clock, status: 'deleting' })
}

/** The last event of a clock; only a stub stays, so that what happened on it can be told apart. */
export function deleteClock(
  clock: TestClock,
): Change<TestClock | DeletedTestClock> & { readonly after: DeletedTestClock } {
  const after: DeletedTestClock = { id: clock.id, object: 'test_clock', deleted: true }
  return { event: 'test_clock.deleted', before: clock, after }
}

/** The time on a clock that a request wants to change something on; Unix seconds. Refuses one that does not stand still. */
export function timeOn(clock: TestClock | DeletedTestClock | null, id: string): number {
  if (clock === null || isDeletedClock(clock)) {
    throw new DomainError(
      'test_clock_deleted',
      `Test clock '${id}' was deleted, so nothing on it can change any more. ${ELSEWHERE}`,
    )
  }
  if (clock.status === 'ready') return clock.frozen_time
  if (clock.status === 'deleting') {
    throw new DomainError(
      'test_clock_deleted',
      `Test clock '${id}' is being deleted with all that is on it. ${ELSEWHERE}`,
    )
  }
  if (clock.status === 'internal_failure') {
    throw new DomainError(
      'test_clock_failed',
      `Test clock '${id}' is broken: something that was due on it failed, as the daemon's log tells. Delete it and begin with a new one.`,
    )
  }
  throw new DomainError(
    'test_clock_advancing',
    `Test clock '${id}' is being advanced. Wait until it is ready, then try again.`,
    { retryAfterSeconds: 1 },
  )
}
