import { quoteForShell } from '../../domain/text/shell-quote.ts'
import { type FlagValues, findFlagText } from '../parse/params.ts'
import { chooseKeySource, formatSandboxCreateCommand, resolveConnectionConfig } from './config.ts'
import { readProfile, readProfiles } from './profiles.ts'
import { findStoredSandbox } from './sandbox-keys.ts'

/**
 * Returns a hint for correcting an API key that the server rejected. Returns null unless the key comes from a sandbox,
 * the environment or a profile.
 */
export function findKeySourceHint(
  flags: FlagValues,
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
): string | null {
  const { apiBase, apiKey } = resolveConnectionConfig({ ...flags, sandbox: undefined }, env)
  const { sandbox } = chooseKeySource(flags, env)
  if (sandbox !== undefined) {
    // Another command may have deleted the sandbox and its stored key while this command ran.
    const stored = findStoredSandbox(env, apiBase, sandbox)
    const name = stored === undefined ? sandbox : stored.name
    const create = formatSandboxCreateCommand(name !== null && /^sbx_/.test(name) ? null : name, env)
    return `Create a new sandbox: ${create}. List the existing ones: paycli sandboxes list --sandbox default`
  }
  if (findFlagText(flags['api-key']) !== undefined) {
    const isGiven = argv.some((word) => word === '--api-key' || word.startsWith('--api-key='))
    return isGiven
      ? null
      : 'The key is the value of PAYCLI_API_KEY. Unset it to use the key of the local server, which paycli status then prints.'
  }
  const name = findFlagText(flags['profile']) ?? readProfiles(env).profile
  const { api_base, api_key } = readProfile(env, name)
  const command = `paycli config set api_key <key> --profile ${quoteForShell(name)}`
  if (api_key !== undefined && apiKey === api_key)
    return `The key is from the profile '${name}'. Set another key: ${command}`
  const isKeyMissing = apiKey === undefined && api_base !== undefined
  return isKeyMissing ? `The profile '${name}' has no API key. Set it: ${command}` : null
}

/**
 * Returns a hint with the id of the stored sandbox that `--from` names, or null without such a sandbox. The API accepts
 * only the ids of sandboxes.
 */
export function findSandboxSourceHint(flags: FlagValues, env: NodeJS.ProcessEnv): string | null {
  const { apiBase } = resolveConnectionConfig({ ...flags, sandbox: undefined }, env)
  const stored = findStoredSandbox(env, apiBase, findFlagText(flags['from']) ?? '')
  return stored === undefined ? null : `To copy the sandbox of this name: --from ${stored.id}`
}
