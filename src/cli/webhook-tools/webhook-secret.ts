import type { FlagInput } from '@oclif/core/interfaces'
import { UsageError } from '../errors/usage-error.ts'
import { string } from '../parse/flag-builders.ts'
import { type FlagValues, findFlagText } from '../parse/params.ts'
import { resolveConnectionConfig } from '../service/config.ts'
import { findSelectedSandbox } from '../service/selected-sandbox.ts'
import { findLocalDaemon } from '../service/service-discovery.ts'

/** The flag of commands that sign or verify webhooks. */
export const secretFlag: FlagInput = {
  secret: string({
    description: 'Signing secret (default: the secret of the local server for --forward-to).',
    helpValue: '<whsec_…>',
    env: 'PAYCLI_WEBHOOK_SECRET',
  }),
}

/**
 * Returns the signing secret of `--secret`, the sandbox, the environment or the local daemon. Errors never contain the
 * secret.
 */
export function readSigningSecret(
  flags: FlagValues,
  env: Readonly<Record<string, string | undefined>>,
): string {
  const secret = findSecret(flags, env)
  if (secret === null) {
    throw new UsageError('flag_missing', 'The signing secret is missing.', {
      param: 'secret',
      hint: 'Pass --secret whsec_…, or start a server: paycli serve. Print the secret of a running server: paycli listen --print-secret',
    })
  }
  if (/^whsec_[A-Za-z0-9+/]{16,}={0,2}$/.test(secret)) return secret
  const problem = `expected whsec_ followed by base64 of at least 16 characters, got ${secret.length} characters`
  throw new UsageError(
    'flag_invalid',
    `Invalid signing secret in --secret or PAYCLI_WEBHOOK_SECRET: ${problem}.`,
    {
      param: 'secret',
      hint: 'Omit it to use the secret of the local server, or copy that of an endpoint from the response of its creation. Print the secret of the server: paycli listen --print-secret',
    },
  )
}

function findSecret(flags: FlagValues, env: Readonly<Record<string, string | undefined>>): string | null {
  const given = findFlagText(flags['secret'])
  const isSandboxGiven = (flags['sandbox'] ?? env['PAYCLI_SANDBOX']) !== env['PAYCLI_SANDBOX']
  // The variable may contain the secret of another sandbox than the sandbox on the command line.
  if (given !== undefined && !(isSandboxGiven && given === env['PAYCLI_WEBHOOK_SECRET'])) return given
  const sandbox = findSelectedSandbox(resolveConnectionConfig(flags, env), env)
  return sandbox === null ? (findLocalDaemon(env)?.webhook_secret ?? null) : sandbox.webhook_secret
}
