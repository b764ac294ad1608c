import {
  type Creation,
  type Decision,
  isDeleted,
  type ObjectUpdate,
  type RuleContext,
  toCreation,
  toUpdate,
} from '../core/changes.ts'
import {
  DomainError,
  throwValidationErrors,
  type Unvalidated,
  type ValidationError,
} from '../core/domain-error.ts'
import * as p from '../core/params.ts'
import * as s from '../core/schema.ts'
import { formatTimestamp } from '../text/format-timestamp.ts'
import { findMonthStepsStart, getTimeAfterStep } from './clock-steps.ts'
import { listUnixSecondsErrors } from './unix-seconds.ts'

const details = s.object(
  {
    advancing: s.nullable(
      s.object(
        { target_frozen_time: s.timestamp('The time to which the clock advances.') },
        'The running advance; null if the clock is not advancing.',
      ),
    ),
  },
  'Details of the status.',
)

/** The schema of a simulated clock for test customers. The time of the clock changes only when the clock is advanced. */
export const testClockSchema = s.resourceObject(
  'test_clock',
  'A clock for test customers, whose time moves only when you advance the clock.',
  {
    name: s.nullable(s.text('Your own name for the clock; null if not given.')),
    frozen_time: s.timestamp('The time on the clock.'),
    month_steps_start: s.nullable(
      s.timestamp(
        'The start of consecutive steps in months or years, whose day of the month the steps keep; null after any other step.',
      ),
    ),
    status: s.enumOf(
      ['ready', 'advancing', 'deleting', 'internal_failure'],
      'Whether the clock can be advanced, is advancing, is being deleted with its customers, or failed while a job was due.',
    ),
    status_details: details,
  },
)

export type TestClock = s.ValueOf<typeof testClockSchema>

/** The schema of a deleted clock. Its objects can still be retrieved, but can no longer change. */
export const deletedTestClockSchema = s.deletedObject('test_clock', 'The result of deleting a test clock.')

export type DeletedTestClock = s.ValueOf<typeof deletedTestClockSchema>

const by = p.shape(
  {
    interval: p.choice(['hour', 'day', 'week', 'month', 'year'], 'Unit of the duration.'),
    count: p.integer({ min: 1, max: 100_000 }, 'Number of units.'),
  },
  {},
  'Duration of the advance. Give `by` or `frozen_time`.',
)

const MAX_YEARS = 10
const DELETED_CLOCK_HINT = 'Use objects of another clock or of real time.'

/** Creates a test clock at `frozen_time`, in Unix seconds. */
export function createTestClock(
  fields: { readonly frozen_time: number; readonly name?: string },
  context: RuleContext,
): Creation<TestClock> {
  throwValidationErrors(listUnixSecondsErrors('frozen_time', fields.frozen_time))
  return toCreation('test_clock.created', {
    id: context.newId('clock_'),
    object: 'test_clock',
    created: context.wallNow,
    livemode: false,
    name: fields.name ?? null,
    frozen_time: fields.frozen_time,
    month_steps_start: null,
    status: 'ready',
    status_details: { advancing: null },
  })
}

/** The parameters of an advance of a test clock. */
export const advanceParams = p.shape(
  { id: p.id('The id of the clock.') },
  {
    frozen_time: p.timestamp(
      'New time in Unix seconds: at most 10 years and about 10,000 billing periods after the current time.',
    ),
    by,
  },
)

/** The target of an advance: either a time in Unix seconds or a duration. */
type AdvanceFields = Omit<s.ValueOf<typeof advanceParams>, 'id'>

/** The target time of an advance in Unix seconds, and the parameter that specified it. */
export interface AdvanceTarget {
  readonly until: number
  /** `month_steps_start` after the advance (default: null). */
  readonly monthStepsStart?: number | null
  readonly param: keyof AdvanceFields
}

/** Returns the validation errors of an advance: no target, two targets, or a time in milliseconds. */
export function listAdvanceErrors({ frozen_time, by }: Unvalidated<AdvanceFields>): ValidationError[] {
  if (frozen_time === undefined && by === undefined) {
    const message =
      'Missing target time: set frozen_time in Unix seconds, or by, such as {"interval":"month","count":1}.'
    return [{ code: 'parameter_missing', param: 'frozen_time', message }]
  }
  const errors = listUnixSecondsErrors('frozen_time', frozen_time)
  if (frozen_time === undefined || by === undefined) return errors
  const message = 'Set either frozen_time or by, not both.'
  return [...errors, { code: 'parameters_exclusive', param: 'by', message }]
}

/** Returns the target time of an advance; throws validation errors. */
export function getAdvanceTarget(clock: TestClock, fields: AdvanceFields): AdvanceTarget {
  throwValidationErrors(listAdvanceErrors(fields))
  const { frozen_time: until = clock.frozen_time, by } = fields
  if (by === undefined) return { until, param: 'frozen_time' }
  return { until: getTimeAfterStep(clock, by), monthStepsStart: findMonthStepsStart(clock, by), param: 'by' }
}

/** Throws when the target time is not later than the clock, or more than ten years ahead. */
export function requireValidAdvanceTarget(clock: TestClock, { until, param }: AdvanceTarget): void {
  if (until <= clock.frozen_time) {
    throw new DomainError(
      'test_clock_not_forward',
      `Cannot advance test clock '${clock.id}' from ${formatTimestamp(clock.frozen_time)} to ${formatTimestamp(until)}: time only moves forward. Use a later time.`,
      { param },
    )
  }
  const furthest = getTimeAfterStep(clock, { interval: 'year', count: MAX_YEARS })
  if (until <= furthest) return
  const reason = `the target is more than ${MAX_YEARS} years ahead. Advance at most to ${formatTimestamp(furthest)}`
  throw createAdvanceTooFarError(clock, reason, param)
}

/**
 * Starts advancing a clock to `target`, in Unix seconds. Throws when the target is not later than the clock, or more
 * than ten years ahead. `monthStepsStart` is the next `month_steps_start`.
 */
export function beginAdvance(
  clock: TestClock,
  target: number,
  monthStepsStart: number | null = null,
): ObjectUpdate<TestClock> {
  requireValidAdvanceTarget(clock, { until: target, param: 'frozen_time' })
  return toUpdate('test_clock.advancing', clock, {
    ...clock,
    month_steps_start: monthStepsStart,
    status: 'advancing',
    status_details: { advancing: { target_frozen_time: target } },
  })
}

/** Returns the error for an advance that is too far. */
export function createAdvanceTooFarError(
  { id }: TestClock,
  reason: string,
  param: keyof AdvanceFields,
): DomainError {
  return new DomainError('test_clock_too_far', `Cannot advance test clock '${id}' to this time: ${reason}.`, {
    param,
  })
}

/** Ends an advance: the clock is ready at its new time. */
export function endAdvance(clock: TestClock, target: number): ObjectUpdate<TestClock> {
  return toUpdate('test_clock.ready', clock, {
    ...clock,
    frozen_time: target,
    status: 'ready',
    status_details: { advancing: null },
  })
}

/** Marks a clock as failed at the time of its failed job, in Unix seconds. */
export function markClockFailed(clock: TestClock, at = clock.frozen_time): ObjectUpdate<TestClock> {
  return toUpdate('test_clock.internal_failure', clock, {
    ...clock,
    frozen_time: Math.max(clock.frozen_time, at),
    status: 'internal_failure',
    status_details: { advancing: null },
  })
}

/** Simulates an internal failure of the server during an advance. */
export function simulateClockFailure(clock: TestClock): Decision<TestClock> {
  getReadyClockTime(clock, clock.id)
  const begun = beginAdvance(clock, clock.frozen_time + 1)
  const broken = markClockFailed(begun.after)
  return { changes: [begun, broken], result: broken.after }
}

/** Starts deleting a clock. Its objects can no longer change. Throws while the clock is advancing. */
export function beginClockDeletion(clock: TestClock): ObjectUpdate<TestClock> {
  // Check only for an advance: `getReadyClockTime` also throws for a failed clock, which can be deleted.
  if (clock.status === 'advancing') getReadyClockTime(clock, clock.id)
  return toUpdate('test_clock.deleting', clock, { ...clock, status: 'deleting' })
}

/**
 * Returns the time of a clock, in Unix seconds, for a request that changes its objects; throws unless the clock is
 * ready.
 */
export function getReadyClockTime(clock: TestClock | DeletedTestClock | null, id: string): number {
  if (clock === null || isDeleted(clock)) {
    throw new DomainError(
      'test_clock_deleted',
      `Test clock '${id}' was deleted, so its objects can no longer change. ${DELETED_CLOCK_HINT}`,
    )
  }
  if (clock.status === 'ready') return clock.frozen_time
  if (clock.status === 'deleting') {
    throw new DomainError(
      'test_clock_deleted',
      `Test clock '${id}' is being deleted with its customers. ${DELETED_CLOCK_HINT}`,
    )
  }
  if (clock.status === 'internal_failure') {
    throw new DomainError(
      'test_clock_failed',
      `Test clock '${id}' has failed: a due job threw an error, which is in the server's log. Delete the clock and create a new one.`,
    )
  }
  throw new DomainError(
    'test_clock_advancing',
    `Test clock '${id}' is being advanced. Wait until it is ready, then try again.`,
    { retryAfterSeconds: 1 },
  )
}
