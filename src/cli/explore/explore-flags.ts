import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { FlagInput } from '@oclif/core/interfaces'
import { connectionFlags, outputFlags } from '../command/base-command.ts'
import { UsageError } from '../errors/usage-error.ts'
import { boolean, string } from '../parse/flag-builders.ts'
import { readOptionalOwnFileOrUsageError } from '../service/user-file.ts'
import type { FindingToReplay } from './exploration.ts'
import { parseReplayFile } from './replay-file.ts'

const { color, ...output } = outputFlags

/** The global flags of `paycli explore`, whose `--sandbox` requests new sandboxes instead of selecting a sandbox. */
export const globalExploreFlags: FlagInput = {
  ...output,
  ...connectionFlags,
  sandbox: boolean({
    description: 'Use new sandboxes of the running server instead of a temporary server.',
  }),
  ...(color && { color }),
}

/** The flags of `paycli explore` that are not global. */
export const exploreFlags: FlagInput = {
  'forward-to': string({
    char: 'f',
    description:
      'Webhook address of the app: a port, a port with a path, a URL or a path. With a path, the app gets a free port in PORT (default: no webhooks, and a free port).',
    helpValue: '<path|port|url>',
  }),
  observe: string({
    description:
      'Shell command that prints the state of the app, such as its orders. The states of all runs are compared.',
    helpValue: '<command>',
  }),
  database: string({
    description:
      'Database of the app, whose tables are compared instead of the output of --observe: an SQLite file, a postgres:// URL, or $NAME of an environment variable. The database is only read, but the app writes test data: use a database for tests. Rows of earlier runs do not count.',
    helpValue: '<file|url>',
  }),
  expect: string({
    description: 'Shell command that fails if the state of the app is wrong.',
    helpValue: '<command>',
  }),
  'allow-unchanged': boolean({
    description: 'Accept that --observe is missing, or prints the same before and after the scenario.',
  }),
  reset: string({
    description: 'Shell command that resets the state of the app before each run, such as its database.',
    helpValue: '<command>',
  }),
  time: string({ description: 'Time limit of the exploration.', helpValue: '<60s>', default: '60s' }),
  all: boolean({ description: 'Continue after the first finding until the time limit.' }),
  seed: string({
    description: 'Seed of the order in which pairs of faults are tried.',
    helpValue: '<text>',
    default: '1',
  }),
  write: string({
    description: 'File for the faults of the first finding.',
    helpValue: '<file>',
    default: 'paycli-schedule.json',
  }),
  replay: string({
    description:
      'Only repeat the faults in this file, which an earlier run wrote, or in the files of this folder.',
    helpValue: '<path>',
  }),
  junit: string({ description: 'Also write the result as a JUnit report.', helpValue: '<file>' }),
  from: string({
    description: 'Use sandboxes of the running server that are copies of this sandbox or saved state.',
    helpValue: '<id|state>',
  }),
}

/**
 * Returns the scenario: a fixture file or a shell command. Throws if the scenario or the command of the app is missing.
 */
export function requireScenario(words: readonly string[], command: readonly string[]): string {
  const [scenario] = words
  const hint = "For instance: paycli explore './buy.sh' --forward-to /webhooks -- npm start"
  if (scenario === undefined || words.length > 1)
    throw new UsageError('argument_missing', 'Expected one scenario: a fixture file or a shell command.', {
      hint: words.length > 1 ? `Quote a command with arguments. ${hint}` : hint,
    })
  if (command.length === 0)
    throw new UsageError('argument_missing', 'The command after -- that starts the app is missing.', {
      hint: `Explore starts the app for each run, with a new API key. ${hint}`,
    })
  return scenario
}

/** Reads the findings of `--replay`: of a file, or of all JSON files of a folder; null without the flag. */
export function readFindingsToReplay(path: string | null): readonly FindingToReplay[] | null {
  if (path === null) return null
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
  const names = isFolder ? readdirSync(path).filter((name) => name.endsWith('.json')) : []
  const files = isFolder ? names.sort().map((name) => join(path, name)) : [path]
  if (files.length > 0) return files.map(readReplay)
  throw new UsageError('file_invalid', `The folder '${path}' contains no schedule.`, {
    param: 'replay',
    hint: REPLAY_HINT,
  })
}

const REPLAY_HINT =
  'Without --replay, explore writes a schedule when it finds a difference, to the file of --write.'

function readReplay(file: string): FindingToReplay {
  const text = readOptionalOwnFileOrUsageError(file)
  if (text !== null) return parseReplayFile(text, file)
  const hint = { param: 'replay', hint: REPLAY_HINT }
  throw new UsageError('file_invalid', `The file '${file}' does not exist.`, hint)
}
