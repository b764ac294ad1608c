import { runWithTimeout } from '../../client/pause.ts'
import type { Event } from '../../domain/events/events.ts'
import { ExpectationError } from '../errors/expectation-error.ts'
import { type EventCondition, type EventConnection, waitForEvent } from './event-condition.ts'
import { undeliveredError } from './undelivered-event.ts'

/** The requested type and time, as texts for messages and in seconds. */
interface EventWaitOptions {
  readonly glob: string
  /** The time as the user wrote it, such as `30s`. */
  readonly timeout: string
  readonly seconds: number
}

/**
 * Resolves with the first event that matches a condition. After the timeout, throws an error that states whether the
 * event occurred and the response of each endpoint.
 */
export async function waitForEventWithin(
  source: EventConnection,
  condition: EventCondition,
  { glob, timeout, seconds }: EventWaitOptions,
): Promise<Event> {
  const matches: Event[] = []
  const event = await runWithTimeout(seconds * 1000, (signal) =>
    waitForEvent(source, condition, signal, { onMatch: (match) => matches.push(match) }),
  )
  if (event !== null) return event
  const [match] = matches
  if (match === undefined)
    throw new ExpectationError('timeout', `No ${glob} event occurred within ${timeout}.`)
  throw await undeliveredError(source.client, match, { endpoint: condition.endpoint, timeout })
}
