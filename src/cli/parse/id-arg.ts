import type { ArgInput } from '@oclif/core/interfaces'
import { word } from './options.ts'

/** Returns the positional id of a command; `example` shows the form of the id. */
export function idArg(example: string): ArgInput {
  return { id: word({ description: `Object id, such as ${example}.`, required: true }) }
}

/** The positional id of a clock, optional when only one clock exists. */
export const clockArg: ArgInput[string] = word({
  description: 'Test clock, such as clock_4bT9… (default: the only clock).',
})
