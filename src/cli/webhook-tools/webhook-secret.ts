import type { FlagInput } from '@oclif/core/interfaces'
import { UsageError } from '../errors/usage-error.ts'
import { string } from '../parse/options.ts'
import type { FlagValues } from '../parse/params.ts'
import { findLocalDaemon } from '../service/service-discovery.ts'

/** The flag of commands that sign or verify webhooks. */
export const secretFlag: FlagInput = {
  secret: string({
    description: 'Signing secret (default: the secret of the local server for --forward-to).',
    helpValue: '<whsec_…>',
    env: 'PAYCLI_WEBHOOK_SECRET',
  }),
}

/** Returns the signing secret of the flag, the environment or the local daemon. Errors never contain the secret. */
export function readSecret(flags: FlagValues, env: Readonly<Record<string, string | undefined>>): string {
  const { secret: flag } = flags
  const secret = typeof flag === 'string' && flag !== '' ? flag : findLocalDaemon(env)?.webhook_secret
  if (secret === undefined) {
    throw new UsageError('flag_missing', 'The signing secret is missing.', {
      param: 'secret',
      hint: 'Pass --secret whsec_…, or start a server: paycli serve. Print the secret of a running server: paycli listen --print-secret',
    })
  }
  if (/^whsec_[A-Za-z0-9+/]{16,}={0,2}$/.test(secret)) return secret
  throw new UsageError('flag_invalid', 'Invalid signing secret: expected whsec_ followed by base64.', {
    param: 'secret',
    hint: 'Copy it from the response of the endpoint creation, or from the output of paycli serve.',
  })
}
