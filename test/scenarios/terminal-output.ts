import { isolatedEnv, type ListedCommand } from '../support/every-command.ts'
import { runCommand } from '../support/run-command.ts'
import { assert } from '../support/suite.ts'

/** Sets the terminal's title, reverses text and clears the screen. */
export const HOSTILE = 'Ada\u001b]0;x\u0007\u202e\u009b2J'
/** Control characters except tabs and line feeds. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the test searches for them
export const CONTROL_CHARACTERS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/

/** Runs a command line, asserts that it prints no control characters, and resolves with its exit code. */
export async function runWithoutControlCharacters(args: readonly string[]): Promise<number | null> {
  const { code, stdout, stderr } = await runCommand(args, isolatedEnv)
  assert.not.match(stdout, CONTROL_CHARACTERS)
  assert.not.match(stderr, CONTROL_CHARACTERS)
  return code
}

/** Returns the name of a command as on the command line. */
export function nameOf({ id }: ListedCommand): string {
  return id.replaceAll(':', ' ')
}
