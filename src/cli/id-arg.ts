import { string } from '@oclif/core/args'
import type { ArgInput } from '@oclif/core/interfaces'

/** The positional id of a command on one object; `example` shows how such an id begins. */
export function idArg(example: string): ArgInput {
  // Without ignoreStdin oclif would take a missing id from whatever is piped in.
  return { id: string({ description: `The id, such as ${example}.`, required: true, ignoreStdin: true }) }
}

/** The positional id of a clock that may be left out when there is only one. */
export const clockArg: ArgInput[string] = string({
  description: 'The clock, such as clock_4bT9…; the only one there is unless given.',
  ignoreStdin: true,
})
