import type { ArgInput } from '@oclif/core/interfaces'
import { textArg } from './flag-builders.ts'

/** Creates the positional id argument of a command; `example` shows the form of the id. */
export function createIdArg(example: string): ArgInput {
  return { id: textArg({ description: `Object id, such as ${example}.`, required: true }) }
}

/** The positional id of a clock, optional when only one clock exists. */
export const clockArg: ArgInput[string] = textArg({
  description: 'Test clock, such as clock_4bT9… (default: the only clock).',
})
