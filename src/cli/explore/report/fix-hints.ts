import { isDeepStrictEqual } from 'node:util'
import type { DifferenceCategory, RunDifference } from '../compare/difference.ts'
import type { Finding } from '../exploration.ts'
import type { RunRecord } from '../model/run-record.ts'
import type { ExplorationFault, ScheduledFault, SchedulePoint } from '../model/schedule.ts'

const HINTS_BY_KIND: Readonly<Partial<Record<DifferenceCategory, string>>> = {
  forgery:
    'Verify the signature of each delivery before anything else. Reject wrong signatures, and timestamps older than five minutes, with 400.',
  crash: 'Catch the errors of API requests and of background work. One failed request must not end the app.',
  unacknowledged:
    'Respond with 2xx to every delivery with a valid signature, even if the event is unknown or already processed.',
}

const REPEATED =
  'Process each event once: store its id under a unique constraint, in the same transaction as its effects, and skip known ids. A check before the insert does not stop two deliveries at the same time.'
const LOST_UPDATE =
  'Two deliveries may arrive at the same time: change a value in one statement, such as set credits = credits + 50, or lock its row. Never read a value, wait, and write it back.'
const UNORDERED =
  'Do not depend on the order of deliveries: store the sequence of the event with each object, and skip events with an older sequence. Or retrieve the object from the API instead of trusting the copy in the event.'
const LOST_RESPONSE =
  'Send an Idempotency-Key that is stored with the order with each POST. When no response arrives, repeat the request with the same key.'
const UNKNOWN_RESULT =
  'A lost or late response is not a failure: keep the order pending, repeat the request with the same Idempotency-Key, or let the webhook decide. Store the order before the request.'
const FAILED_REQUEST =
  'Repeat a request after 429, 5xx or a closed connection, with the same Idempotency-Key. If a webhook handler cannot finish its work, respond with 500, so that the event is sent again, and mark the event as processed only after success.'
const RECOVERED_PAYMENT =
  'Give access when the payment succeeds, on invoice.paid or payment.succeeded, also after a decline, and not when a period begins or a session completes.'
const LOST_WORK =
  'Respond to a delivery only after its effects are stored, in one transaction. Complete interrupted work at startup.'

const HINTS_BY_FAULT: Readonly<Record<ExplorationFault, string>> = {
  duplicate: REPEATED,
  overlap: REPEATED,
  hold: UNORDERED,
  swap: UNORDERED,
  delay_delivery: UNORDERED,
  early:
    'Store the order before you send the API request, with its id in the metadata of the object. A webhook may arrive before the response to the request that caused it.',
  drop_attempt: 'Accept events late: a retry may come after newer events. Retrieve the object from the API.',
  bad_signature:
    'Reject a delivery with a wrong signature before any of its effects, and do not remember its event id.',
  old_timestamp: 'Reject an old delivery before any of its effects, and do not remember its event id.',
  drop_response: LOST_RESPONSE,
  truncate_response: LOST_RESPONSE,
  delay_response: LOST_RESPONSE,
  slow_response: LOST_RESPONSE,
  delay_request: LOST_RESPONSE,
  error: FAILED_REQUEST,
  drop_request: FAILED_REQUEST,
  decline: RECOVERED_PAYMENT,
  issuer_unavailable: RECOVERED_PAYMENT,
  processing: RECOVERED_PAYMENT,
  restart: LOST_WORK,
}

/** The hints for an app that repeats an effect after a restart, by the point at which the app was killed. */
const REPEATED_HINTS = { delivery: REPEATED, request: LOST_RESPONSE, payment: LOST_WORK } as const

/** Faults, sorted by how clearly they show a cause. A duplicate shows a repeated effect more clearly than a restart. */
const MOST_REVEALING: readonly ExplorationFault[] = ['duplicate', 'hold', 'error']

/** Returns hints about the usual fixes of a finding, without duplicates. */
export function listFixHints({
  differences,
  schedule,
  alsoAfter,
  record,
}: Omit<Finding, 'occurrences'>): string[] {
  const byKind = differences.flatMap(({ kind }) => HINTS_BY_KIND[kind] ?? [])
  if (byKind.length > 0) return [...new Set(byKind)]
  const same = [schedule, ...alsoAfter].filter(({ length }) => length === 1).flat()
  const revealing = MOST_REVEALING.flatMap(
    (fault) => same.find((one) => one.fault === fault && !isRace(one)) ?? [],
  )
  const faults = schedule.length === 1 ? revealing.slice(0, 1) : []
  const hints = (faults.length > 0 ? faults : schedule).map((fault) => hintFor(fault, record, differences))
  return [...new Set(hints)]
}

function hintFor(
  scheduled: ScheduledFault,
  record: RunRecord,
  differences: readonly RunDifference[],
): string {
  const { fault, at } = scheduled
  const isMore = differences.some(isIncrease)
  if (isRace(scheduled)) return isMore ? REPEATED : LOST_UPDATE
  const isRestart = fault === 'restart'
  if (
    isRestart &&
    differences.every(({ change }) => change === 'changed') &&
    isOvertaken(at, record) &&
    !isMore
  )
    return UNORDERED
  const hint = isRestart && isMore ? REPEATED_HINTS[at.kind] : HINTS_BY_FAULT[fault]
  const isSent = record.requests.some(
    (one) => isDeepStrictEqual(one.point, at) && one.idempotencyKey !== null,
  )
  // A repeated request without an idempotency key creates additional objects.
  return hint === LOST_RESPONSE && (isSent || !isMore) ? UNKNOWN_RESULT : hint
}

/** Returns whether an event was delivered again after a later event of the same resource. */
function isOvertaken(at: SchedulePoint, { deliveries }: RunRecord): boolean {
  const first = deliveries.findIndex(({ point }) => isDeepStrictEqual(point, at))
  const again = deliveries.findLastIndex(({ event }) => event === deliveries[first]?.event)
  const resources = deliveries.map(({ point }) => point.event_type.split('.')[0])
  return resources.slice(first + 1, again).includes(resources[first])
}

function isRace({ fault, options }: ScheduledFault): boolean {
  return fault === 'overlap' || options.order === 'concurrent'
}

function isIncrease({ change, expected, actual }: RunDifference): boolean {
  return change === 'more' || (change === 'changed' && Number(actual) > Number(expected))
}
