import { toCanonicalJson } from '../../../domain/text/canonical-json.ts'
import { escapeUnsafeCharacters } from '../../../domain/text/sanitize.ts'
import type { RunOutcome, RunRecord } from '../model/run-record.ts'
import { compareValues } from './compare-values.ts'
import type { RunDifference } from './difference.ts'
import {
  type DifferenceMeaning,
  type FindingConditions,
  isFinding,
  type PossibleFinding,
  type ScenarioCompletion,
} from './finding-rules.ts'
import { compareMonetaryObjects, listMonetaryObjects } from './monetary-objects.ts'
import { type NormalObservation, normaliseObservation } from './normalise.ts'
import { findUnstableValues, removeUnstableValues } from './unstable-values.ts'

/** The results of the runs without faults. Other runs are compared with this baseline. */
export type Baseline = ReturnType<typeof createBaseline>

/** Returns the baseline of runs without faults: their common results and the values that differ between them. */
export function createBaseline(records: readonly [RunRecord, ...RunRecord[]]) {
  const [record] = records
  const observations = records.map((one) => observe(one.outcome))
  const unstable = findUnstableValues(observations)
  const { value, references } = observe(record.outcome)
  const expectedMoney = listMonetaryObjects(record.outcome.objects)
  const isMoneyStable = records.every(
    ({ outcome }) => compareMonetaryObjects(expectedMoney, listMonetaryObjects(outcome.objects)).length === 0,
  )
  const expected = removeUnstableValues(value, unstable)
  const toKey = ({ observation }: Pick<RunOutcome, 'observation'>) =>
    toCanonicalJson(removeUnstableValues(normaliseObservation(observation ?? '').value, unstable))
  return {
    /** The first run without faults. Schedules refer to its requests and deliveries. */
    record,
    value: expected,
    /** Whether the scenario changes a compared value of the observation. */
    isStateChanged: records.some(({ states }) =>
      states.some((one) => toKey(one) !== toCanonicalJson(expected)),
    ),
    references,
    unstable,
    /** The types of the events after which the app changed its observation or sent a request. */
    effectiveTypes: new Set(records.flatMap((one) => listEffectiveTypes(one, toKey))),
    /** Paths of the observation that are not compared. */
    ignored: [...new Set(observations.flatMap((one) => one.ignored)), ...unstable.paths, ...unstable.shapes],
    /** The expected monetary objects; null if they differ between the runs, so that they are not compared. */
    money: isMoneyStable ? expectedMoney : null,
    /** The largest number of unacknowledged events of a run, by event type. */
    unacknowledged: mergeCounts(
      records.map(({ outcome }) => countTexts(outcome.unacknowledged)),
      Math.max,
    ),
    acknowledged: mergeCounts(records.map(countAcknowledged), Math.min),
  }
}

/** The number of last deliveries that may have caused a change, because apps may respond before they act. */
const LATE = 2

function listEffectiveTypes(
  { states, deliveries, requests, outcome }: RunRecord,
  toKey: (state: Pick<RunOutcome, 'observation'>) => string,
): string[] {
  if (states.length === 0 && outcome.observation !== null) return []
  const keys = states.map(toKey)
  const seen = Math.max(0, states.length - 1)
  const isSettled = seen >= deliveries.length && keys[seen] === toKey(outcome)
  // Deliveries after the last observation count as effective. A change after the last delivery may belong to any delivery.
  const unclear = isSettled ? [] : deliveries.slice(seen < deliveries.length ? Math.max(0, seen - LATE) : 0)
  const changes = states.flatMap((_, index) =>
    index > 0 && keys[index] !== keys[index - 1]
      ? states.slice(Math.max(0, index + 1 - LATE), index + 1)
      : [],
  )
  const causes = requests.flatMap(({ atMs }) => deliveries.filter((one) => one.atMs <= atMs).slice(-LATE))
  const points = [...changes.map(({ after }) => after), ...[...unclear, ...causes].map(({ point }) => point)]
  return points.flatMap((point) => point?.event_type ?? [])
}

/** Returns whether an outcome equals the outcome of a run without faults, so that a run can end. */
export function isOutcomeExpected(baseline: Baseline, outcome: RunOutcome): boolean {
  const unacknowledged = countTexts(outcome.unacknowledged)
  return (
    compareObservations(baseline, outcome).length === 0 &&
    compareOutcomeMoney(baseline, outcome).length === 0 &&
    [...unacknowledged].every(([type, count]) => count <= (baseline.unacknowledged.get(type) ?? 0)) &&
    (outcome.expectation ?? 0) === 0
  )
}

/**
 * Returns the differences of a run in two lists: findings by the rules of `finding-rules.ts`, and differences that the
 * faults of the run allow.
 */
export function compareRun(baseline: Baseline, record: RunRecord) {
  const { outcome } = record
  // After a crash of the app, the observation is only an error of the --observe command.
  const observation = outcome.hasCrashed ? [] : compareObservations(baseline, outcome)
  const money = compareOutcomeMoney(baseline, outcome)
  const run: FindingConditions = {
    completion: completionOf(record),
    hasSameMoney: money.length === 0 && (baseline.money ?? []).length > 0,
    isObservationEqual: outcome.observation !== null && !outcome.hasCrashed && observation.length === 0,
    expectedObservation: toCanonicalJson(baseline.value),
  }
  const differences = [...observation, ...money, ...otherDifferences(baseline, record)]
  const [findings, allowed] = [true, false].map((isWanted) =>
    differences.filter((one) => isFinding(one, run) === isWanted).map(toDifference),
  )
  return { findings: findings ?? [], allowed: allowed ?? [] }
}

/** Returns the differences between a run without faults and the state of the app after a restart. */
export function findStateLostOnRestart(baseline: Baseline, outcome: RunOutcome): RunDifference[] {
  return compareObservations(baseline, outcome).map(toDifference)
}

function toDifference({ kind, change, path, expected, actual, text }: RunDifference): RunDifference {
  return { kind, change, path, expected, actual, text }
}

function compareObservations(baseline: Baseline, outcome: RunOutcome): PossibleFinding[] {
  if (outcome.observation === null) return []
  const { value, references } = observe(outcome)
  const differences = compareValues(baseline.value, removeUnstableValues(value, baseline.unstable))
  if (differences.length > 0 || baseline.unstable.hasReferences || baseline.unstable.paths.size > 0)
    return differences
  if (toCanonicalJson(references) === toCanonicalJson(baseline.references)) return []
  return [referenceDifference(baseline.references, references)]
}

function referenceDifference(expected: readonly string[], actual: readonly string[]): PossibleFinding {
  return {
    ...{ kind: 'observation', change: 'changed', path: 'ids', meaning: 'value changed', entry: null },
    ...{ expected: toCanonicalJson(expected), actual: toCanonicalJson(actual) },
    text: 'the same values, but ids do not refer to the same entries as in the run without faults',
  }
}

function compareOutcomeMoney(baseline: Baseline, outcome: RunOutcome): PossibleFinding[] {
  return baseline.money === null
    ? []
    : compareMonetaryObjects(baseline.money, listMonetaryObjects(outcome.objects))
}

function observe({ observation }: RunOutcome): NormalObservation {
  return normaliseObservation(observation ?? '')
}

/** Returns the completion of the scenario, from its error and the kinds of its faults. */
function completionOf({ schedule, outcome: { scenarioFailure } }: RunRecord): ScenarioCompletion {
  const isInterrupted = schedule.some(({ fault, at }) => fault === 'restart' || at.kind === 'request')
  const isDeclined = schedule.some(({ at }) => at.kind === 'payment')
  if (scenarioFailure === 'undelivered' || (isInterrupted && scenarioFailure === 'soon')) return 'aborted'
  if (isDeclined) return scenarioFailure === null ? 'declined' : 'aborted'
  return isInterrupted ? 'interrupted' : 'undisturbed'
}

function otherDifferences(baseline: Baseline, record: RunRecord): PossibleFinding[] {
  const { outcome } = record
  const differences: PossibleFinding[] = []
  const add = (kind: RunDifference['kind'] & DifferenceMeaning, path: string, text: string) =>
    differences.push({
      kind,
      change: 'changed',
      path,
      expected: null,
      actual: null,
      text,
      ...{ meaning: kind, entry: null },
    })
  if (outcome.hasCrashed && !baseline.record.outcome.hasCrashed) add('crash', '', 'the app ended by itself')
  for (const forgery of new Set(outcome.acceptedForgeries)) add('forgery', forgery, describeForgery(forgery))
  const acknowledged = countAcknowledged(record)
  for (const [type, count] of countTexts(outcome.unacknowledged)) {
    const isMore = count > (baseline.unacknowledged.get(type) ?? 0)
    // After a lost response, the app does not know the new object, so its events may stay unacknowledged.
    const isFewer = (acknowledged.get(type) ?? 0) < (baseline.acknowledged.get(type) ?? 0)
    if (isMore && isFewer) add('unacknowledged', type, `the app never acknowledged ${type}`)
  }
  if (outcome.scenarioError !== null)
    add('scenario', '', `the scenario failed: ${summarizeError(outcome.scenarioError)}`)
  if ((outcome.expectation ?? 0) !== 0) add('expectation', '', describeExpectation(outcome))
  return differences
}

const MAX_ERROR_CHARACTERS = 160

// The first line of the error is the exit code. In a stack trace, the message follows some lines later.
function summarizeError(error: string): string {
  const [first = '', ...output] = error.split('\n').filter((line) => line.trim() !== '')
  const message = output.find((line) => /error/i.test(line)) ?? output[0]
  // Node.js prints the properties of an error in braces, so the line may end with an opening brace.
  const text = message === undefined ? first : `${first}: ${message.trim().replace(/\s*\{$/, '')}`
  return escapeUnsafeCharacters(text).slice(0, MAX_ERROR_CHARACTERS).toWellFormed()
}

function describeForgery(forgery: string): string {
  const [type = '', fault] = forgery.split(' ')
  const reason =
    fault === 'old_timestamp' ? 'that was signed ten minutes before' : 'with an invalid signature'
  return `the handler acknowledged a delivery of ${type} ${reason}`
}

function describeExpectation({ expectation, expectationOutput }: RunOutcome): string {
  const [line = ''] = expectationOutput.trim().split('\n')
  return `--expect failed with exit code ${expectation}${line === '' ? '' : `: ${line}`}`
}

function countAcknowledged({ deliveries }: RunRecord): ReadonlyMap<string, number> {
  const events = new Map<string, string>()
  for (const { event, point, status } of deliveries) {
    if (status !== null && status >= 200 && status < 300) events.set(event, point.event_type)
  }
  return countTexts([...events.values()])
}

function countTexts(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return counts
}

function mergeCounts(
  counts: readonly ReadonlyMap<string, number>[],
  merge: (...values: number[]) => number,
): ReadonlyMap<string, number> {
  const types = new Set(counts.flatMap((one) => [...one.keys()]))
  return new Map([...types].map((type) => [type, merge(...counts.map((one) => one.get(type) ?? 0))]))
}
