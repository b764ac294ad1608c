import { faults } from '../../../api/index.ts'
import { runShellCommand } from '../../processes/shell-command.ts'
import { listObjects } from '../../request/paginate.ts'
import type { RunOutcome, ScenarioFailureTiming } from '../model/run-record.ts'
import type { ObservedOutcome } from './background-work.ts'
import { addDeliveryFaults, findDeliveryProblems } from './delivery-results.ts'
import type { ScenarioRun } from './run-context.ts'
import { readDeliveryAttempts, readSandboxObjects } from './sandbox-objects.ts'
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
export async function createRunOutcome(
  { client, commands, shell, rules, recorder }: ScenarioRun,
  { observation, objects }: ObservedOutcome,
  ending: Pick<RunOutcome, 'scenarioError' | 'scenarioFailure' | 'hasCrashed'>,
): Promise<RunOutcome> {
  const [attempts, expected] = await Promise.all([
    readDeliveryAttempts(client),
    commands.expect === null ? null : runShellCommand(commands.expect, shell),
  ])
  const problems = findDeliveryProblems(recorder.deliveries, attempts, rules)
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

/** Reads which faults of the schedule were applied, and adds those of the server to the recorded deliveries. */
export async function readAppliedFaults({ client, rules, schedule, recorder }: ScenarioRun) {
  const { applied, deliveries } = recorder
  if (rules.size === 0) return { deliveries, applied: schedule.filter((one) => applied.has(one)) }
  const [{ found }, attempts] = await Promise.all([
    listObjects(client, faults.list, {}, rules.size),
    readDeliveryAttempts(client),
  ])
  const byServer = new Set(found.flatMap((one) => (one.applied > 0 ? (rules.get(one.id) ?? []) : [])))
  return {
    deliveries: addDeliveryFaults(deliveries, attempts, rules),
    applied: schedule.filter((one) => applied.has(one) || byServer.has(one)),
  }
}

/** A scenario that fails later than this after a fault was waiting, and did not report the failed request. */
const MIN_WAIT_MS = 1500

/** Returns the timing of the failure of a scenario that has just ended. */
export async function classifyFailureTiming({
  recorder: { requests, deliveries, appChanges, elapsedMs },
  schedule,
  quiescence,
}: ScenarioRun): Promise<ScenarioFailureTiming> {
  const endMs = elapsedMs()
  if (await quiescence.hasPending()) return 'undelivered'
  const faults = [...requests, ...deliveries].filter(({ fault }) => fault !== null)
  const lastMs = Math.max(0, ...[...faults, ...appChanges].map(({ atMs }) => atMs))
  const delays = schedule.map(
    ({ options: { delay_ms = 0, retry_after = 0 } }) => delay_ms + 1000 * retry_after,
  )
  return endMs - lastMs < MIN_WAIT_MS + Math.max(0, ...delays) ? 'soon' : 'late'
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
