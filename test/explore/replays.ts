import { join } from 'node:path'
import type { RunDifference } from '../../src/cli/explore/compare/difference.ts'
import type { RunOutcome } from '../../src/cli/explore/model/run-record.ts'
import type { FaultSchedule } from '../../src/cli/explore/model/schedule.ts'
import { openScenarioRunner } from '../../src/cli/explore/run/scenario-runner.ts'
import { createScheduleEvaluator } from '../../src/cli/explore/schedule-evaluator.ts'
import { systemClock } from '../../src/daemon/system/clock.ts'
import type { TestDaemon } from '../support/daemon.ts'
import { freePort } from '../support/ports.ts'
import { ROOT } from '../support/root.ts'
import { assert } from '../support/suite.ts'

/** An app with the shell commands that drive, observe and reset it. */
export interface Integration {
  /** The program and its arguments. */
  readonly app: readonly string[]
  readonly scenario: string
  readonly observe: string
  readonly reset: string
  /** The output of `observe` after a run without faults, with `in_…` in place of ids, such as invoice ids. */
  readonly final: string
  readonly env: Readonly<Record<string, string>>
}

/** Runs of one integration, compared with a run without faults. */
export interface Replays {
  /**
   * Returns the differences after the faults of a schedule. A run without differences is repeated, because a race may
   * need several runs.
   */
  readonly changesBy: (schedule: FaultSchedule) => Promise<readonly RunDifference[]>
  /** Returns the differences that remain in repeated runs, because a busy machine may end a single run too early. */
  readonly lastingChangesBy: (schedule: FaultSchedule) => Promise<readonly RunDifference[]>
  readonly close: () => Promise<void>
}

const MAX_RUNS = 3

/** Runs an integration without faults, as `paycli explore` does, in sandboxes of a server. */
export async function openReplays(
  { location: { api_url, api_key } }: TestDaemon,
  { app, scenario, observe, reset, final, env }: Integration,
): Promise<Replays> {
  // The guard processes of sandboxes run this script.
  process.argv[1] = join(ROOT, 'bin', 'run.js')
  const runner = await openScenarioRunner({
    flags: { sandbox: true, 'api-base': api_url, 'api-key': api_key },
    env: { ...process.env, ...env },
    nowMs: systemClock.nowMs,
    portSeed: await freePort(),
    command: app,
    forwardTo: '/webhooks',
    scenario: { command: scenario },
    commands: { observe, reset, expect: null },
  })
  try {
    // paycli explore observes the app for seconds to determine its final state; here the final state is known.
    const isExpected = ({ observation }: RunOutcome) =>
      observation?.replace(/\b([a-z]+)_\w{24}\b/g, '$1_…') === final
    const faultless = await runner.run([], { isExpected })
    assert.ok(isExpected(faultless.outcome), `${app.at(-1)} ends with ${faultless.outcome.observation}`)
    const comparison = createScheduleEvaluator(runner, [faultless])
    const runUntil = async (
      isDone: (differences: readonly RunDifference[]) => boolean,
      schedule: FaultSchedule,
    ) => {
      for (let runs = 1; ; runs += 1) {
        const record = await comparison.run(schedule)
        assert.equal(record?.applied, schedule)
        const differences = record === null ? [] : comparison.compare(record)
        if (isDone(differences) || runs === MAX_RUNS) return differences
      }
    }
    return {
      changesBy: (schedule) => runUntil(({ length }) => length > 0, schedule),
      lastingChangesBy: (schedule) => runUntil(({ length }) => length === 0, schedule),
      close: runner.close,
    }
  } catch (error) {
    await runner.close()
    throw error
  }
}
