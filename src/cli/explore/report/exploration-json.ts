import type { ExplorationResult, Finding } from '../exploration.ts'
import { describeSchedule } from './fault-descriptions.ts'
import { listFixHints } from './fix-hints.ts'

/** Returns the JSON form of the result of an exploration. */
export function toExplorationJson({
  baseline,
  findings,
  unconfirmed,
  explored,
  ...rest
}: ExplorationResult): object {
  return {
    object: 'exploration',
    findings: findings.map(findingJson),
    not_confirmed: unconfirmed.map(findingJson),
    explored: explored.map(({ schedule, result, occurrences, allowedDifferences, durationMs }) => ({
      schedule,
      result,
      ...{ runs: occurrences.runs, failed_runs: occurrences.failed },
      allowed_differences: allowedDifferences,
      duration_ms: durationMs,
    })),
    skipped: rest.skipped.length,
    not_tried_alone: rest.notTriedAlone.length,
    not_tried_without_effect: rest.notTriedWithoutEffect.length,
    not_compared: baseline.ignored,
    failure: rest.failure,
    lost_state: rest.lostState.map(({ text }) => text),
    replay: rest.isReplay,
    duration_ms: rest.durationMs,
  }
}

function findingJson(finding: Finding): object {
  const { schedule, occurrences, differences, record } = finding
  return {
    description: describeSchedule(schedule),
    schedule,
    ...{ runs: occurrences.runs, failed_runs: occurrences.failed },
    differences,
    also_after: finding.alsoAfter.map((schedule) => ({ description: describeSchedule(schedule), schedule })),
    requests: record.requests,
    deliveries: record.deliveries,
    app_changes: record.appChanges,
    hints: listFixHints(finding),
  }
}
