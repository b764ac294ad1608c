import { toSingleLine } from '../../output/format-values.ts'
import type { AppLifecycleEvent, RecordedDelivery, RecordedRequest, RunRecord } from '../model/run-record.ts'

/** A line of the timeline of a run. */
export interface TimelineLine {
  /** Seconds since the start of the scenario, such as `0.12 s`; empty where lines are left out. */
  readonly time: string
  readonly from: string
  readonly text: string
  /** Whether a fault was applied, or the app was killed or crashed. */
  readonly isFaulted: boolean
}

interface TimelineEntry extends TimelineLine {
  readonly atMs: number
}

const CHANGES: Readonly<Record<AppLifecycleEvent['kind'], string>> = {
  killed: 'was killed',
  restarted: 'was started again',
  crashed: 'ended by itself',
}

/** Lines before and after the faults of a long timeline. */
const CONTEXT_BEFORE = 6
const CONTEXT_AFTER = 10
const MAX_LINES = 30

/** Returns the requests, deliveries and app changes of a run in order, or those around its faults if there are many. */
export function runTimeline(record: RunRecord): TimelineLine[] {
  const entries = [
    ...record.requests.map(fromRequest),
    ...record.deliveries.map(fromDelivery),
    ...record.appChanges.map(fromChange),
  ].toSorted((a, b) => a.atMs - b.atMs)
  if (entries.length <= MAX_LINES) return entries.map(toLine)
  const faulted = entries.flatMap(({ isFaulted }, index) => (isFaulted ? [index] : []))
  const first = Math.max(0, (faulted[0] ?? 0) - CONTEXT_BEFORE)
  const last = Math.min(entries.length, first + MAX_LINES, (faulted.at(-1) ?? MAX_LINES) + CONTEXT_AFTER + 1)
  return [...omission(first), ...entries.slice(first, last).map(toLine), ...omission(entries.length - last)]
}

function toLine({ time, from, text, isFaulted }: TimelineEntry): TimelineLine {
  return { time, from, text, isFaulted }
}

function omission(count: number): TimelineLine[] {
  return count === 0 ? [] : [{ time: '', from: '', text: `… ${count} more`, isFaulted: false }]
}

function fromRequest({ point, status, fault, atMs }: RecordedRequest): TimelineEntry {
  const text = `${numbered(point.operation, point.occurrence)}: ${describeStatus(status)}`
  return entry({ atMs, from: 'app -> API', text, fault })
}

function fromDelivery({ point, status, summary, fault, atMs }: RecordedDelivery): TimelineEntry {
  const detail = summary === '' ? '' : ` (${summary})`
  const text = `${numbered(point.event_type, point.occurrence)}${detail}: ${describeStatus(status)}`
  return entry({ atMs, from: 'API -> app', text, fault })
}

function fromChange({ kind, atMs }: AppLifecycleEvent): TimelineEntry {
  return {
    ...entry({ atMs, from: 'app', text: CHANGES[kind], fault: null }),
    isFaulted: kind !== 'restarted',
  }
}

interface EntryFields {
  readonly atMs: number
  readonly from: string
  readonly text: string
  readonly fault: string | null
}

function entry({ atMs, from, text, fault }: EntryFields): TimelineEntry {
  const shown = fault === null ? text : `${text}, ${fault}`
  const time = `${(atMs / 1000).toFixed(2)} s`
  return { atMs, time, from, text: toSingleLine(shown), isFaulted: fault !== null }
}

function numbered(name: string, occurrence: number): string {
  return occurrence > 1 ? `${name} #${occurrence}` : name
}

function describeStatus(status: number | null): string {
  return status === null ? 'no response' : String(status)
}
