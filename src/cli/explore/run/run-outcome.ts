import { faults } from '../../../api/index.ts'
import { runShellCommand } from '../../processes/shell-command.ts'
import { listObjects } from '../../request/paginate.ts'
import type { RecordedDelivery, RunOutcome } from '../model/run-record.ts'
import type { ScheduledFault } from '../model/schedule.ts'
import type { ObservedOutcome } from './background-work.ts'
import { addDeliveryFaults, findDeliveryProblems } from './delivery-results.ts'
import type { ScenarioRun } from './run-context.ts'
import { readDeliveryAttempts, readEventTypesById, readSandboxObjects } from './sandbox-objects.ts'
import { observeApp } from './state-watch.ts'

/** Reads the state of the app and the objects of the sandbox. `problem` is the error of the observer, or null. */
export async function readObservation({ client, commands, shell }: ScenarioRun) {
  const [observed, objects] = await Promise.all([
    observeApp(commands.observe, shell),
    readSandboxObjects(client),
  ])
  return { observation: observed?.observation ?? null, objects, problem: observed?.problem ?? null }
}

/** Completes an observation with the deliveries and the result of `--expect`. */
export async function completeOutcome(
  { client, commands, shell, rules }: ScenarioRun,
  { observation, objects }: ObservedOutcome,
  ending: Pick<RunOutcome, 'scenarioError' | 'scenarioFailure' | 'hasCrashed'>,
): Promise<RunOutcome> {
  const [deliveries, eventTypes, expected] = await Promise.all([
    readDeliveryAttempts(client),
    readEventTypesById(client),
    commands.expect === null ? null : runShellCommand(commands.expect, shell),
  ])
  const problems = findDeliveryProblems(deliveries, rules, eventTypes)
  return {
    ...{ observation, objects, ...problems, ...ending },
    // A killed command has no exit code and counts as failed.
    expectation: expected === null ? null : (expected.code ?? 1),
    expectationOutput: expected?.problem == null ? '' : expected.output,
  }
}

/** A fault rule that counts the decisions of the issuer, and is never applied. */
export const DECISION_COUNTER_FAULT = { type: 'decline', skip: Number.MAX_SAFE_INTEGER } as const

/** Returns the number of decisions of the issuer in a run with DECISION_COUNTER_FAULT. */
export async function countIssuerDecisions({ client }: ScenarioRun): Promise<number> {
  const { found } = await listObjects(client, faults.list, {}, 1)
  return found[0]?.matched ?? 0
}

/** Returns the scheduled faults on deliveries and payments that the server applied. */
export async function readServerAppliedFaults({
  client,
  rules,
}: ScenarioRun): Promise<readonly ScheduledFault[]> {
  if (rules.size === 0) return []
  const { found } = await listObjects(client, faults.list, {}, rules.size)
  return found.flatMap(({ id, applied }) => (applied > 0 ? (rules.get(id) ?? []) : []))
}

/** Returns the recorded deliveries with the faults that the server applied to them. */
export async function addAppliedFaults(
  { client, rules }: ScenarioRun,
  recorded: readonly RecordedDelivery[],
): Promise<RecordedDelivery[]> {
  if (rules.size === 0) return [...recorded]
  return addDeliveryFaults(recorded, await readDeliveryAttempts(client), rules)
}

/**
 * Describes the last response of an app that rejected every webhook; null if the app acknowledged a webhook, or
 * received no webhook.
 */
export async function describeLastRejectedWebhook({
  client,
  endpoint,
  target,
  recorder,
}: ScenarioRun): Promise<string | null> {
  if (endpoint === null) return null
  const attempts = await readDeliveryAttempts(client, { webhook_endpoint: endpoint.id })
  const last = attempts.findLast(({ error }) => error !== null)
  if (last === undefined || attempts.some(({ status }) => status === 'succeeded')) return null
  const count = new Set(attempts.map(({ event }) => event)).size
  // The server sees only a closed connection, so report the error that the proxy recorded.
  const connectionError = recorder.connectionErrors.at(-1) ?? last.error_message
  const problem = last.http_status === null ? connectionError : `the last response was ${last.http_status}`
  const events = count === 1 ? 'the only event' : `any of ${count} events`
  return `The app did not acknowledge ${events} at ${target()}: ${problem?.replace(/\.$/, '')}.`
}
