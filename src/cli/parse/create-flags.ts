import type { FlagInput } from '@oclif/core/interfaces'
import { UsageError } from '../errors/usage-error.ts'
import { boolean, string } from './options.ts'
import type { FlagValues } from './params.ts'

/** The flag of every command that changes something. */
export const dryRunFlag: FlagInput = {
  'dry-run': boolean({ description: 'Print the request in place of sending it.' }),
}

/** The flags of every change to what is there, besides its parameters. */
export const changeFlags: FlagInput = {
  data: string({
    char: 'd',
    description: 'Set a parameter by its own name, over what the file says. Repeat for more.',
    helpValue: '<a[b]=value>',
    multiple: true,
    multipleNonGreedy: true,
  }),
  'idempotency-key': string({
    char: 'i',
    description: 'Carry it out once, however often it is sent with this key; a new key unless given.',
    helpValue: '<key>',
  }),
  ...dryRunFlag,
}

/** The flags of every create, besides its parameters. */
export const createFlags: FlagInput = {
  'from-file': string({
    description:
      'Take the body from a JSON file, or from standard input with -; flags override what it says.',
    helpValue: '<json file|->',
  }),
  ...changeFlags,
}

/** The key that was given; undefined without one. A key that no header can carry is a usage error. */
export function idempotencyKeyOf(flags: FlagValues): string | undefined {
  const key = flags['idempotency-key']
  if (typeof key !== 'string') return undefined
  if (/^[\x20-\x7e]{1,255}$/.test(key)) return key
  const hint = 'Use 1 to 255 printable ASCII characters, such as a UUID.'
  throw new UsageError('flag_invalid', 'The idempotency key is empty, too long, or has other characters.', {
    param: 'idempotency-key',
    hint,
  })
}
