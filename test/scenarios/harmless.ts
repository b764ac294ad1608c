import { paycli } from '../commands/paycli.ts'
import { type ListedCommand, nowhere } from '../support/every-command.ts'
import { assert } from '../support/suite.ts'

/** What would set a terminal's title, turn text around and clear the screen. */
export const HOSTILE = 'Ada\u001b]0;x\u0007\u202e\u009b2J'
// biome-ignore lint/suspicious/noControlCharactersInRegex: they must not be there
const HARMFUL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/

/** Runs a command line, holds what it prints to be harmless, and resolves with its exit code. */
export async function mustBeHarmless(args: readonly string[]): Promise<number | null> {
  const { code, stdout, stderr } = await paycli(args, { env: nowhere })
  assert.not.match(stdout, HARMFUL)
  assert.not.match(stderr, HARMFUL)
  return code
}

/** A command as it is typed. */
export function nameOf({ id }: ListedCommand): string {
  return id.replaceAll(':', ' ')
}
