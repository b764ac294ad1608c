import type { FlagInput } from '@oclif/core/interfaces'
import { UsageError } from '../errors/usage-error.ts'
import { boolean, repeatable, string } from './flag-builders.ts'
import type { FlagValues } from './params.ts'

/** The flag of every command that sends a change. */
export const dryRunFlag: FlagInput = {
  'dry-run': boolean({ description: 'Print the request instead of sending it.' }),
}

/** The flags of every command that updates an object, in addition to parameter flags. */
export const objectUpdateFlags: FlagInput = {
  data: repeatable({
    char: 'd',
    description: 'Set a parameter by its API name. Repeat for more parameters.',
    helpValue: '<a[b]=value>',
  }),
  'idempotency-key': string({
    char: 'i',
    description: 'Idempotency key (default: a new key). Requests with the same key run only once.',
    helpValue: '<key>',
  }),
  ...dryRunFlag,
}

/** The flags of every command that creates an object, in addition to parameter flags. */
export const objectCreationFlags: FlagInput = {
  'from-file': string({
    description: 'Read the body from a JSON file, or from standard input with -. Flags override the file.',
    helpValue: '<json file|->',
  }),
  ...objectUpdateFlags,
}

/** Returns the value of `--idempotency-key`, or undefined. Throws when a header cannot contain the key. */
export function findIdempotencyKey(flags: FlagValues): string | undefined {
  const key = flags['idempotency-key']
  if (typeof key !== 'string') return undefined
  if (/^[\x20-\x7e]{1,255}$/.test(key)) return key
  throw new UsageError('flag_invalid', 'The idempotency key is empty, too long, or not printable ASCII.', {
    param: 'idempotency-key',
    hint: 'Use 1 to 255 printable ASCII characters, such as a UUID.',
  })
}
