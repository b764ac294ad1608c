import { faults } from '../../../api/index.ts'
import type { Client } from '../../../client/client.ts'
import { listObjects } from '../../request/paginate.ts'
import type { RecordedDelivery, RunOutcome } from '../model/run-record.ts'
import type { ScheduledFault } from '../model/schedule.ts'
import { addDeliveryFaults, findDeliveryProblems } from './delivery-results.ts'
import { readDeliveries, readEventTypes, readObjects } from './sandbox-objects.ts'
import { runShellCommand, type ShellCommandOptions, type ShellResult } from './shell-command.ts'

/** The commands with which the user inspects the app. */
export interface InspectionCommands {
  /** Prints the state of the app; null for none. */
  readonly observe: string | null
  /** Fails if the state of the app is wrong; null for none. */
  readonly expect: string | null
}

/** The part of an outcome that may change while the app works in the background. */
export type BackgroundObservation = Pick<RunOutcome, 'observation' | 'objects'>

export interface OutcomeReaderOptions {
  readonly client: Client
  readonly commands: InspectionCommands
  readonly shell: ShellCommandOptions
  /** The scheduled fault of each fault rule of the sandbox, by the id of the rule. */
  readonly rules: ReadonlyMap<string, ScheduledFault>
}

/** Reads the result of a run from the app and from the sandbox. */
export interface OutcomeReader {
  readonly readObservation: () => Promise<BackgroundObservation & { readonly problem: string | null }>
  /** Completes an observation with the deliveries and the result of `--expect`. */
  readonly complete: (observation: BackgroundObservation, app: AppResult) => Promise<RunOutcome>
  /** Returns the scheduled faults on deliveries that the server applied. */
  readonly readApplied: () => Promise<readonly ScheduledFault[]>
  readonly addFaults: (recorded: readonly RecordedDelivery[]) => Promise<RecordedDelivery[]>
}

/** The part of an outcome that the run itself knows. */
type AppResult = Pick<RunOutcome, 'scenarioError' | 'hasCrashed'>

/** Creates the reader of a run. */
export function createOutcomeReader({ client, commands, shell, rules }: OutcomeReaderOptions): OutcomeReader {
  // The rules are added after the reader is created.
  const types = () => new Map([...rules].map(([id, { fault }]) => [id, fault]))
  return {
    async readObservation() {
      const [observed, objects] = await Promise.all([
        runIfGiven(commands.observe, shell),
        readObjects(client),
      ])
      return {
        observation: observed === null ? null : describeObservation(observed),
        objects,
        problem: observed?.problem == null ? null : `${observed.problem}\n${observed.output}`.trim(),
      }
    },
    async complete({ observation, objects }, { scenarioError, hasCrashed }) {
      const [deliveries, eventTypes, expected] = await Promise.all([
        readDeliveries(client),
        readEventTypes(client),
        runIfGiven(commands.expect, shell),
      ])
      const summary = findDeliveryProblems({ deliveries, eventTypes, rules: types() })
      return {
        ...{ observation, objects, ...summary, scenarioError, hasCrashed },
        // A command that was killed has no exit code, and failed.
        expectation: expected === null ? null : (expected.code ?? 1),
        expectationOutput: expected?.problem == null ? '' : expected.output,
      }
    },
    async readApplied() {
      if (rules.size === 0) return []
      const { found } = await listObjects(client, faults.list, {}, rules.size)
      return found.flatMap(({ id, applied }) => (applied > 0 ? (rules.get(id) ?? []) : []))
    },
    async addFaults(recorded) {
      if (rules.size === 0) return [...recorded]
      return addDeliveryFaults(recorded, { deliveries: await readDeliveries(client), rules: types() })
    },
  }
}

async function runIfGiven(command: string | null, shell: ShellCommandOptions): Promise<ShellResult | null> {
  return command === null ? null : runShellCommand(command, shell)
}

// A failed command differs from the same output of a successful one.
function describeObservation({ stdout, problem }: ShellResult): string {
  return problem === null ? stdout : `${stdout}(${problem})`
}
