import { DomainError, type Unvalidated, type ValidationError } from '../core/domain-error.ts'
import { EVENT_TYPES } from '../core/event-types.ts'
import * as p from '../core/params.ts'
import * as s from '../core/schema.ts'
import { type Event, eventDataSchema } from '../events/events.ts'
import { formatTimestamp } from '../text/format-timestamp.ts'
import { getPeriodStart } from '../time/periods.ts'
import { listUnixSecondsErrors } from '../time/unix-seconds.ts'

const projectedEvent = s.titledObject('projected_event', 'An event that does not exist yet.', {
  object: s.constant('projected_event', 'The type of the object.'),
  type: s.enumOf(EVENT_TYPES, 'The event type.'),
  created: s.timestamp('Time at which the event will occur.'),
  data: eventDataSchema,
})

/** The schema of the future events of a subscription or a test clock. */
export const projectionSchema = s.titledObject(
  'projection',
  'The future events of a subscription or of all objects on a test clock.',
  {
    object: s.constant('projection', 'The type of the object.'),
    subscription: s.nullable(s.id('The subscription; null for a test clock.')),
    test_clock: s.nullable(s.id('The test clock of all times; null in real time.')),
    from: s.timestamp('The current time, from which the future is computed.'),
    until: s.timestamp('The last time for which events were computed.'),
    data: s.arrayOf(
      projectedEvent,
      'The events in order of occurrence. Ids with `projected`, such as `in_projected_1`, stand for objects that do not exist yet.',
    ),
    has_more: s.boolean('Whether more events follow until `until`, or the computation ended early.'),
  },
)

export type Projection = s.ValueOf<typeof projectionSchema>
export type ProjectedEvent = s.ValueOf<typeof projectedEvent>

const MAX_EVENTS = 1000
const DEFAULT_EVENTS = 100
const DEFAULT_YEARS = 3
const MAX_YEARS = 10

/** The parameters of a projection. */
export const projectionParams = p.shape(
  {},
  {
    subscription: p.id('Events of this subscription. Give `subscription` or `test_clock`.'),
    test_clock: p.id('Events of all objects on this test clock.'),
    until: p.timestamp(
      `Last time of an event in Unix seconds, at most ${MAX_YEARS} years from now (default: ${DEFAULT_YEARS} years from now, the longest billing period).`,
    ),
    limit: p.integer(
      { min: 1, max: MAX_EVENTS },
      `Number of events, 1 to ${MAX_EVENTS} (default: ${DEFAULT_EVENTS}).`,
    ),
  },
)

export type ProjectionParams = s.ValueOf<typeof projectionParams>

/** Returns the validation errors of a projection: no object, two objects, or a time in milliseconds. */
export function listProjectionErrors({
  subscription,
  test_clock,
  until,
}: Unvalidated<ProjectionParams>): ValidationError[] {
  const errors = listUnixSecondsErrors('until', until)
  if (subscription === undefined && test_clock === undefined) {
    const message = 'Missing object: give subscription or test_clock.'
    return [{ code: 'parameter_missing', param: 'subscription', message }, ...errors]
  }
  if (subscription === undefined || test_clock === undefined) return errors
  const message = 'Give subscription or test_clock, not both.'
  return [...errors, { code: 'parameters_exclusive', param: 'test_clock', message }]
}

/** The range of a projection in Unix seconds, and its largest number of events. */
export interface ProjectionRange {
  readonly from: number
  readonly until: number
  readonly limit: number
}

/** Returns the range of a projection that starts at `from`, in Unix seconds; throws when `until` is out of range. */
export function getProjectionRange(
  { until, limit = DEFAULT_EVENTS }: Pick<ProjectionParams, 'until' | 'limit'>,
  from: number,
): ProjectionRange {
  const latest = yearsAfter(from, MAX_YEARS)
  if (until === undefined) return { from, until: yearsAfter(from, DEFAULT_YEARS), limit }
  if (until > from && until <= latest) return { from, until, limit }
  throw new DomainError(
    'timestamp_invalid',
    `Invalid until ${until}: expected a time after ${formatTimestamp(from)} and at most ${MAX_YEARS} years later. Use ${from + 1} to ${latest}, in Unix seconds.`,
    { param: 'until' },
  )
}

/** The object and the range of a projection. */
interface ProjectionScope extends Pick<Projection, 'subscription' | 'test_clock'> {
  readonly range: ProjectionRange
}

/** Future events, and whether more events follow in the range. */
export interface ProjectedEvents {
  readonly events: readonly Event[]
  readonly hasMore: boolean
}

/** Creates the projection with the given future events. */
export function createProjection(
  { subscription, test_clock, range: { from, until } }: ProjectionScope,
  { events, hasMore }: ProjectedEvents,
): Projection {
  const data = events.map(
    ({ type, created, data }) => ({ object: 'projected_event', type, created, data }) as const,
  )
  return { object: 'projection', subscription, test_clock, from, until, data, has_more: hasMore }
}

function yearsAfter(anchor: number, years: number): number {
  return getPeriodStart({ anchor, interval: 'year', interval_count: years }, 1)
}
