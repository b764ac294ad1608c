import { isLoopbackHost } from '../../domain/text/loopback-hosts.ts'
import { quoteForShell } from '../../domain/text/shell-quote.ts'
import { isFlagGiven } from '../parse/flag-names.ts'
import { type FlagValues, findFlagText } from '../parse/params.ts'
import { chooseKeySource, formatSandboxCreateCommand, resolveConnectionConfig } from './config.ts'
import { listHomeFolders } from './home.ts'
import { readProfile, readProfiles } from './profiles.ts'
import { findStoredSandbox } from './sandbox-keys.ts'
import { describeDatabase, listRunningServices } from './service-status.ts'

/** Returns a hint for correcting an API key that the server rejected, or for a request without a key. */
export async function findKeySourceHint(
  flags: FlagValues,
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<string> {
  const { apiBase, apiKey } = resolveConnectionConfig({ ...flags, sandbox: undefined }, env)
  const { sandbox } = chooseKeySource(flags, env)
  if (sandbox !== undefined) {
    // Another command may have deleted the sandbox and its stored key while this command ran.
    const stored = findStoredSandbox(env, apiBase, sandbox)
    const name = stored === undefined ? sandbox : stored.name
    const create = formatSandboxCreateCommand(name !== null && /^sbx_/.test(name) ? null : name, env)
    return `Create a new sandbox: ${create}. List the existing sandboxes: paycli sandboxes list --sandbox default`
  }
  if (findFlagText(flags['api-key']) !== undefined) {
    return isFlagGiven(argv, 'api-key')
      ? describeServerKey(apiBase, env, 'To use that key, omit --api-key.')
      : `The key is the value of PAYCLI_API_KEY. ${await describeServerKey(apiBase, env, 'To use that key:\nunset PAYCLI_API_KEY')}`
  }
  const name = findFlagText(flags['profile']) ?? readProfiles(env).profile
  const { api_base, api_key } = readProfile(env, name)
  const command = `paycli config set api_key <key> --profile ${quoteForShell(name)}`
  if (api_key !== undefined && apiKey === api_key)
    return `The key is from the profile '${name}'. Set another key: ${command}`
  const isKeyMissing = apiKey === undefined && api_base !== undefined
  if (isKeyMissing) return `The profile '${name}' has no API key. Set the key: ${command}`
  return describeServerKey(apiBase, env, 'Restart the server, so that commands use that key.')
}

/**
 * Returns a hint with the server that did not accept the key, and a way to get an accepted key. `change` is the advice
 * to use the stored key.
 */
async function describeServerKey(apiBase: string, env: NodeJS.ProcessEnv, change: string): Promise<string> {
  const running = await listRunningServices(env)
  const server = running.find(({ api_url }) => api_url === apiBase)
  if (server !== undefined)
    return `The server at ${apiBase}, ${describeDatabase(server)}, has another key. ${change}`
  const { hostname, port } = new URL(apiBase)
  const same = running.find(({ api_url }) => isLoopbackHost(hostname) && new URL(api_url).port === port)
  // Compare only the ports, because the user may have written localhost for 127.0.0.1.
  if (same !== undefined)
    return `The stored key of this server is only sent to ${same.api_url}. Use that address, or omit --api-base.`
  const [home] = listHomeFolders(env)
  return `No key of the server at ${apiBase} is stored in ${home}: it was started by another user, on another machine or with another PAYCLI_HOME. Print the key there: paycli status --field api_key. Then pass it with --api-key or PAYCLI_API_KEY.`
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
