import { quoteForShell } from '../../../domain/text/shell-quote.ts'
import { toSingleLine } from '../../output/format-values.ts'
import type { Finding } from '../exploration.ts'
import type { ExplorationFault, FaultSchedule, ScheduledFault, SchedulePoint } from '../model/schedule.ts'

const ORDINALS = 'first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ')

const ORDINAL_RULES = new Intl.PluralRules('en', { type: 'ordinal' })
const SUFFIXES: Readonly<Record<string, string>> = { one: 'st', two: 'nd', few: 'rd' }

/**
 * Describes a fault as a sentence without a period, such as `The first customers.create request never reached the API`.
 */
export function describeFault(fault: ScheduledFault): string {
  return sentence(SENTENCES[fault.fault](place(fault.at), fault.options))
}

/** Describes the faults of a schedule, or the run without faults. */
export function describeSchedule(schedule: FaultSchedule): string {
  if (schedule.length === 0) return 'No faults'
  if (schedule.length > 2)
    return `${[...new Set(schedule.map(formatFaultName))].join(', ')} at ${schedule.length} points`
  return schedule.map(describeFault).join('; ')
}

/** Returns a sentence about a finding that is not confirmed, or occurred in only some runs; else an empty list. */
export function describeUncertainFinding({
  occurrences: { failed, runs },
  isConfirmed,
}: Pick<Finding, 'occurrences' | 'isConfirmed'>): string[] {
  const count = `the app ended differently in ${failed} of ${runs} ${runs === 1 ? 'run' : 'runs'}.`
  if (!isConfirmed)
    return [`The time limit was reached before the confirmation: ${count} For more time: \`--time 5m\``]
  return failed === runs ? [] : [`This is a race: ${count}`]
}

type Options = ScheduledFault['options']

const SENTENCES: Readonly<Record<ExplorationFault, (at: string, options: Options) => string>> = {
  delay_request: (at, { delay_ms = 1000 }) => `${at} took ${delay_ms} ms to reach the API`,
  delay_response: (at, { delay_ms = 1000 }) => `the response to ${at} came after ${delay_ms} ms`,
  error: (at, options) => `${at} failed with ${options.http_status ?? '500'}, and was not executed`,
  drop_request: (at) => `${at} never reached the API`,
  drop_response: (at) => `${at} was executed, but its response was lost`,
  truncate_response: (at) => `${at} was executed, but its response was cut off`,
  slow_response: (at) => `the response to ${at} was slow`,
  duplicate: (at, { copies = 2, order }) =>
    order === 'concurrent'
      ? `${at} arrived ${times(copies)} at the same time`
      : `${at} arrived ${times(copies)}, one after the other`,
  delay_delivery: (at, { delay_ms = 5000 }) => `${at} arrived ${delay_ms} ms late`,
  hold: (at) => `${at} arrived after all other deliveries`,
  swap: (at) => `${at} arrived after the next one`,
  overlap: (at) => `the next delivery arrived while ${at} was still being processed`,
  early: (at) => `${at} arrived before the API response that caused it`,
  drop_attempt: (at) => `the first attempt of ${at} was lost, and a retry followed`,
  bad_signature: (at) => `${at} first came with an invalid signature`,
  old_timestamp: (at) => `${at} first came with a ten minutes old signature`,
  decline: (at) => `the issuer declined ${at}`,
  issuer_unavailable: (at) => `the issuer did not respond for ${at}`,
  processing: (at) => `the issuer decided late on ${at}`,
  restart: (at, { moment = 'before' }) =>
    `the app was killed ${RESTART_WORDS[moment]} ${at}, and started again`,
}

const RESTART_WORDS = {
  before: 'right before',
  after: 'right after',
  acknowledged: 'right after it acknowledged',
}

function place(at: SchedulePoint): string {
  const nth = ordinal(at.occurrence)
  if (at.kind === 'payment') return `the ${nth} charge of a card`
  return at.kind === 'request'
    ? `the ${nth} ${toSingleLine(at.operation)} request`
    : `the ${nth} delivery of ${toSingleLine(at.event_type)}`
}

function ordinal(count: number): string {
  return ORDINALS[count - 1] ?? `${count}${SUFFIXES[ORDINAL_RULES.select(count)] ?? 'th'}`
}

function times(count: number): string {
  return count === 2 ? 'twice' : `${count} times`
}

function sentence(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}

/** Returns the name of a fault in tables and test reports, such as `duplicate (concurrent)`. */
export function formatFaultName({ fault, options }: ScheduledFault): string {
  const detail = options.order ?? options.http_status ?? options.moment
  return detail === undefined ? fault : `${fault} (${detail})`
}

/** Returns the `paycli faults add` commands for a schedule; empty if only `explore` can apply one of the faults. */
export function listFaultCommands(schedule: FaultSchedule): string[] {
  if (schedule.some(({ fault }) => fault === 'restart')) return []
  return schedule.map(({ fault, at, options: { delay_ms, http_status, retry_after, copies, order } }) =>
    [
      `paycli faults add ${fault}`,
      // Names are quoted, because they may come from the file of another person or from a path that the app requests.
      at.kind === 'request' && `--operation ${quoteForShell(toSingleLine(at.operation))}`,
      at.kind === 'delivery' && `--events ${quoteForShell(toSingleLine(at.event_type))}`,
      at.occurrence > 1 && `--skip ${at.occurrence - 1}`,
      '--times 1',
      delay_ms !== undefined && `--delay ${delay_ms}ms`,
      http_status !== undefined && `--status ${http_status}`,
      retry_after !== undefined && `--retry-after ${retry_after}`,
      copies !== undefined && copies !== 2 && `--copies ${copies}`,
      order === 'concurrent' && '--concurrent',
    ]
      .filter((word) => word !== false)
      .join(' '),
  )
}
