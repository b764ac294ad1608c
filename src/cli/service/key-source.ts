import { quoteForShell } from '../errors/shell-quote.ts'
import { type FlagValues, stringValue } from '../parse/params.ts'
import { readConfig } from './config.ts'
import { findProfile, readProfiles } from './profiles.ts'
import { findStoredSandbox } from './sandbox-keys.ts'

/**
 * Returns how to correct the API key of a request that the server rejected, if the key is that of a sandbox, from the
 * environment or from a profile; else null.
 */
export function keySourceHint(
  flags: FlagValues,
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
): string | null {
  const { apiBase, apiKey } = readConfig(flags, env)
  const sandbox = stringValue(flags['sandbox'])
  const stored = sandbox === undefined ? undefined : findStoredSandbox(env, apiBase, sandbox)
  if (stored !== undefined && stored.api_key === apiKey)
    return `The stored key of the sandbox ${stored.id} is no longer valid. List the sandboxes: paycli sandboxes list --sandbox default`
  if (stringValue(flags['api-key']) !== undefined) {
    const isGiven = argv.some((word) => word === '--api-key' || word.startsWith('--api-key='))
    return isGiven ? null : 'The key is the value of PAYCLI_API_KEY. Correct the variable, or unset it.'
  }
  const name = stringValue(flags['profile']) ?? readProfiles(env).profile
  const { api_base, api_key } = findProfile(env, name)
  const command = `paycli config set api_key <key> --profile ${quoteForShell(name)}`
  if (api_key !== undefined && apiKey === api_key)
    return `The key is from the profile '${name}'. Set another key: ${command}`
  const isKeyMissing = apiKey === undefined && api_base !== undefined
  return isKeyMissing ? `The profile '${name}' has no API key. Set it: ${command}` : null
}
