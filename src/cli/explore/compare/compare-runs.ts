import { canonicalJson } from '../../../domain/text/canonical-json.ts'
import type { RunOutcome, RunRecord } from '../model/run-record.ts'
import type { FaultSchedule } from '../model/schedule.ts'
import { compareValues, type ValueDifference } from './compare-values.ts'
import type { RunDifference } from './difference.ts'
import { type FindingContext, isFinding, type ScenarioCompletion } from './finding-rules.ts'
import { compareRunMoney, hasMoney, type MoneyDifference, moneyOf, type RunMoney } from './money.ts'
import { learnNoise, type Noise, removeNoise } from './noise.ts'
import { type NormalObservation, type NormalValue, normaliseObservation } from './normalise.ts'

/** The common results of the runs without faults, with which other runs are compared. */
export interface Baseline {
  /** The first of the runs, whose requests and deliveries the schedules refer to. */
  readonly record: RunRecord
  readonly value: NormalValue
  readonly references: readonly string[]
  readonly noise: Noise
  /** Paths of the observation that are not compared. */
  readonly ignored: readonly string[]
  /** Null if the money of the runs differs, so that it is not compared. */
  readonly money: RunMoney | null
  /** For each event type: the largest number of events that were never acknowledged. */
  readonly unacknowledged: ReadonlyMap<string, number>
  readonly acknowledged: ReadonlyMap<string, number>
}

/** Returns the baseline of runs without faults: their common results and the values that differ between them. */
export function learnBaseline(records: readonly [RunRecord, ...RunRecord[]]): Baseline {
  const [record] = records
  const observations = records.map((one) => observe(one.outcome))
  const noise = learnNoise(observations)
  const [first] = observations
  const money = records.map(({ outcome }) => moneyOf(outcome.objects))
  const isMoneyStable = money.every((one) => compareRunMoney(money[0] ?? one, one).length === 0)
  const ignored = [...new Set(observations.flatMap((one) => one.ignored)), ...noise.paths, ...noise.shapes]
  return {
    record,
    value: removeNoise(first?.value ?? null, noise),
    references: first?.references ?? [],
    noise,
    ignored,
    money: isMoneyStable ? (money[0] ?? null) : null,
    unacknowledged: mergeCounts(
      records.map(({ outcome }) => countTexts(outcome.unacknowledged)),
      Math.max,
    ),
    acknowledged: mergeCounts(records.map(countAcknowledged), Math.min),
  }
}

/** Returns whether an outcome equals that of a run without faults, so that a run can end. */
export function isOutcomeExpected(baseline: Baseline, outcome: RunOutcome): boolean {
  const unacknowledged = countTexts(outcome.unacknowledged)
  return (
    compareObservations(baseline, outcome).length === 0 &&
    compareOutcomeMoney(baseline, outcome).length === 0 &&
    [...unacknowledged].every(([type, count]) => count <= (baseline.unacknowledged.get(type) ?? 0)) &&
    (outcome.expectation ?? 0) === 0
  )
}

/** Returns the findings of a run by the rules of `finding-rules.ts`; empty for a run without findings. */
export function compareRun(baseline: Baseline, record: RunRecord): RunDifference[] {
  const { outcome } = record
  // After a crash of the app, the observation is only an error of the --observe command.
  const observation = outcome.hasCrashed ? [] : compareObservations(baseline, outcome)
  const money = compareOutcomeMoney(baseline, outcome)
  const run: FindingContext = {
    completion: completionOf(record),
    hasSameMoney: baseline.money !== null && money.length === 0 && hasMoney(baseline.money),
    isObservationEqual: outcome.observation !== null && !outcome.hasCrashed && observation.length === 0,
    expectedObservation: canonicalJson(baseline.value),
  }
  const differences = [...observation, ...money, ...otherDifferences(baseline, record)]
  return differences.filter((one) => isFinding(one, run)).map(toDifference)
}

/** Returns the differences between a run without faults and the state of the app after a restart. */
export function findStateLostOnRestart(baseline: Baseline, outcome: RunOutcome): RunDifference[] {
  return compareObservations(baseline, outcome).map(toDifference)
}

function toDifference({ kind, change, path, expected, actual, text }: RunDifference): RunDifference {
  return { kind, change, path, expected, actual, text }
}

function compareObservations(baseline: Baseline, outcome: RunOutcome): ValueDifference[] {
  if (outcome.observation === null) return []
  const { value, references } = observe(outcome)
  const differences = compareValues(baseline.value, removeNoise(value, baseline.noise))
  if (differences.length > 0 || baseline.noise.hasReferences || baseline.noise.paths.size > 0)
    return differences
  if (canonicalJson(references) === canonicalJson(baseline.references)) return []
  return [referenceDifference(baseline.references, references)]
}

function referenceDifference(expected: readonly string[], actual: readonly string[]): ValueDifference {
  return {
    ...({ kind: 'observation', change: 'changed', path: 'ids' } as const),
    ...{ expected: canonicalJson(expected), actual: canonicalJson(actual) },
    text: 'the same values, but ids refer to other entries than in the run without faults',
    ...{ entry: null, isCopy: false },
  }
}

function compareOutcomeMoney(baseline: Baseline, outcome: RunOutcome): MoneyDifference[] {
  return baseline.money === null ? [] : compareRunMoney(baseline.money, moneyOf(outcome.objects))
}

function observe({ observation }: RunOutcome): NormalObservation {
  return normaliseObservation(observation ?? '')
}

/** Returns the completion of the scenario, from its error and the kinds of its faults. */
function completionOf({ schedule, outcome }: RunRecord): ScenarioCompletion {
  if (outcome.scenarioError !== null) return 'aborted'
  return isInterrupting(schedule) ? 'interrupted' : 'undisturbed'
}

function isInterrupting(schedule: FaultSchedule): boolean {
  return schedule.some(({ fault, at }) => fault === 'restart' || at.kind === 'request')
}

function otherDifferences(baseline: Baseline, record: RunRecord): RunDifference[] {
  const { outcome } = record
  const differences: RunDifference[] = []
  const add = (kind: RunDifference['kind'], path: string, text: string) =>
    differences.push({ kind, change: 'changed', path, expected: null, actual: null, text })
  if (outcome.hasCrashed && !baseline.record.outcome.hasCrashed) add('crash', '', 'the app ended by itself')
  for (const forgery of new Set(outcome.acceptedForgeries)) add('forgery', forgery, describeForgery(forgery))
  const acknowledged = countAcknowledged(record)
  for (const [type, count] of countTexts(outcome.unacknowledged)) {
    const isMore = count > (baseline.unacknowledged.get(type) ?? 0)
    // The events of an object that the app never knew, because a response was lost, may stay unacknowledged.
    const isFewer = (acknowledged.get(type) ?? 0) < (baseline.acknowledged.get(type) ?? 0)
    if (isMore && isFewer) add('unacknowledged', type, `the app never acknowledged ${type}`)
  }
  if ((outcome.expectation ?? 0) !== 0) add('expectation', '', describeExpectation(outcome))
  return differences
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
  merge: (a: number, b: number) => number,
): ReadonlyMap<string, number> {
  const types = new Set(counts.flatMap((one) => [...one.keys()]))
  return new Map(
    [...types].map((type) => [type, counts.map((one) => one.get(type) ?? 0).reduce((a, b) => merge(a, b))]),
  )
}
