import type { Client } from '../../../client/client.ts'
import { getErrorMessage } from '../../errors/error-fields.ts'
import { type FixtureStep, readFixtures } from '../../fixtures/fixture-files.ts'
import { runSteps } from '../../fixtures/fixture-run.ts'
import { readJsonObject } from '../../parse/input-file.ts'
import { runShellCommand, type ShellCommandOptions } from '../../processes/shell-command.ts'
import { parseRecordedScenario, type RecordedStep, replayRecording } from './recorded-scenario.ts'

/** A scenario: the steps of a fixture file, recorded requests to the app, or a shell command. */
export type Scenario =
  | { readonly steps: readonly FixtureStep[] }
  | { readonly requests: readonly RecordedStep[] }
  | { readonly command: string }

/**
 * Reads a scenario: a fixture file or a recording if `text` ends in `.json` and contains no white space, otherwise a shell
 * command.
 */
export async function readScenario(text: string): Promise<Scenario> {
  if (!text.endsWith('.json') || /\s/.test(text)) return { command: text }
  // Ignore the error of an unreadable file here, because a later read reports the error.
  const value = await readJsonObject(text).catch(() => ({}))
  if ('requests' in value) return { requests: parseRecordedScenario(text, value) }
  const { fixtures } = await readFixtures([text])
  return { steps: fixtures }
}

/** Runs a scenario and resolves with its error, or null if it succeeded. */
export async function runScenario(
  scenario: Scenario,
  client: Client,
  options: ShellCommandOptions,
): Promise<string | null> {
  if ('command' in scenario) {
    const { problem, output } = await runShellCommand(scenario.command, options)
    return problem === null ? null : [problem, output.trim()].filter((text) => text !== '').join('\n')
  }
  if ('requests' in scenario) return replayRecording(scenario.requests, client, options)
  try {
    await runSteps(client, scenario.steps)
    return null
  } catch (error) {
    options.signal?.throwIfAborted()
    return getErrorMessage(error)
  }
}
