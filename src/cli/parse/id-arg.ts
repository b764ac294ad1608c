import type { ArgInput } from '@oclif/core/interfaces'
import { word } from './options.ts'

/** The positional id of a command on one object; `example` shows how such an id begins. */
export function idArg(example: string): ArgInput {
  return { id: word({ description: `The id, such as ${example}.`, required: true }) }
}

/** The positional id of a clock that may be left out when there is only one. */
export const clockArg: ArgInput[string] = word({
  description: 'The clock, such as clock_4bT9…; the only one there is unless given.',
})
