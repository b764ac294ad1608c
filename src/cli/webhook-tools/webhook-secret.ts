import type { FlagInput } from '@oclif/core/interfaces'
import { UsageError } from '../errors/usage-error.ts'
import { string } from '../parse/options.ts'
import type { FlagValues } from '../parse/params.ts'
import { findLocalDaemon } from '../service/service-discovery.ts'

/** The flag of commands that sign or verify. */
export const secretFlag: FlagInput = {
  secret: string({
    description: "The signing secret; that of the local daemon's --forward-to unless given.",
    helpValue: '<whsec_…>',
    env: 'PAYCLI_WEBHOOK_SECRET',
  }),
}

/** The secret of the flag, its environment variable or the local daemon; it is repeated in no message. */
export function readSecret(flags: FlagValues, env: Readonly<Record<string, string | undefined>>): string {
  const given = flags['secret']
  const secret = typeof given === 'string' && given !== '' ? given : findLocalDaemon(env)?.webhook_secret
  if (secret === undefined) {
    throw new UsageError('flag_missing', 'The signing secret is missing.', {
      param: 'secret',
      hint: 'Give --secret whsec_…: paycli listen --print-secret prints that of a service, and paycli serve starts one.',
    })
  }
  if (/^whsec_[A-Za-z0-9+/]{16,}={0,2}$/.test(secret)) return secret
  throw new UsageError('flag_invalid', 'The signing secret is not of the form whsec_ and base64.', {
    param: 'secret',
    hint: 'Copy it from the answer that made the endpoint, or from what paycli serve prints.',
  })
}
