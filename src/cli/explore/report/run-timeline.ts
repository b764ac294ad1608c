import { toSingleLine } from '../../output/format-values.ts'
import type { AppLifecycleEvent, RecordedDelivery, RecordedRequest, RunRecord } from '../model/run-record.ts'

const CHANGES: Readonly<Record<AppLifecycleEvent['kind'], string>> = {
  killed: 'was killed',
  restarted: 'was started again',
  crashed: 'ended by itself',
}

/** Numbers of lines before the first fault and after the last fault of a long timeline. */
const CONTEXT_BEFORE = 6
const CONTEXT_AFTER = 10
const MAX_LINES = 30

/** Returns the requests, deliveries and app changes of a run in order. A long run is cut to entries near its faults. */
export function createRunTimeline({ requests, deliveries, appChanges }: RunRecord) {
  const lines = [...requests, ...deliveries, ...appChanges].sort((a, b) => a.atMs - b.atMs).map(toLine)
  if (lines.length <= MAX_LINES) return lines
  const faulted = lines.flatMap(({ isFaulted }, index) => (isFaulted ? [index] : []))
  const first = Math.max(0, (faulted[0] ?? 0) - CONTEXT_BEFORE)
  const last = Math.min(lines.length, first + MAX_LINES, (faulted.at(-1) ?? MAX_LINES) + CONTEXT_AFTER + 1)
  return [...omission(first), ...lines.slice(first, last), ...omission(lines.length - last)]
}

function omission(count: number) {
  return count === 0 ? [] : [{ time: '', from: '', text: `… ${count} more`, isFaulted: false }]
}

// The time is in seconds since the start of the scenario.
function toLine(one: RecordedRequest | RecordedDelivery | AppLifecycleEvent) {
  const time = `${(one.atMs / 1000).toFixed(2)} s`
  if ('kind' in one)
    return { time, from: 'app', text: CHANGES[one.kind], isFaulted: one.kind !== 'restarted' }
  const { point, status, fault } = one
  const [from, name] =
    point.kind === 'request' ? ['app -> API', point.operation] : ['API -> app', point.event_type]
  const count = point.occurrence > 1 ? ` #${point.occurrence}` : ''
  const detail = 'summary' in one && one.summary !== '' ? ` (${one.summary})` : ''
  const result = `${status ?? 'no response'}${fault === null ? '' : `, ${fault}`}`
  return { time, from, text: toSingleLine(`${name}${count}${detail}: ${result}`), isFaulted: fault !== null }
}
