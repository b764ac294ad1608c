import type { ServerConnection } from '../../client/server-connection.ts'
import { DEFAULT_SANDBOX } from '../../domain/sandboxes/sandboxes.ts'
import { quoteForShell } from '../../domain/text/shell-quote.ts'
import { UsageError } from '../errors/usage-error.ts'
import { type FlagValues, findFlagText } from '../parse/params.ts'
import { readProfile } from './profiles.ts'
import { findStoredSandbox, readStoredSandboxes } from './sandbox-keys.ts'
import { findLocalDaemon, findServerSecret } from './service-discovery.ts'

const DEFAULT_BASE = 'http://127.0.0.1:4100'
const MAX_LISTED_SANDBOXES = 10

/**
 * Returns the address and key of the API from flags or variables, else from the profile, else from the local daemon,
 * else the default address. A stored key is only sent to the address with which it is stored. A local server must first
 * prove its identity, unless the user gave both address and key. `--sandbox` selects the stored key of a sandbox.
 */
export function resolveConnectionConfig(flags: FlagValues, env: NodeJS.ProcessEnv): ServerConnection {
  const flagBase = findFlagText(flags['api-base'])
  const { apiKey: flagKey, sandbox } = chooseKeySource(flags, env)
  const profileName = findFlagText(flags['profile'])
  const isComplete = flagBase !== undefined && flagKey !== undefined && profileName === undefined
  const profile = isComplete ? {} : readProfile(env, profileName)
  const base = flagBase ?? profile.api_base
  const configuredBase = base === undefined ? undefined : parseApiBase(base)
  const daemon = isComplete ? null : findLocalDaemon(env, configuredBase)
  const apiBase = configuredBase ?? parseApiBase(daemon?.api_url ?? DEFAULT_BASE)
  const isAt = (address: string | undefined) => address !== undefined && apiBase === parseApiBase(address)
  const proof = { readServerSecret: () => findServerSecret(env, apiBase) }
  const isFound = isAt(daemon?.api_url)
  // A sandbox key is a stored key, so the local server, or any program at the default address, must first prove its
  // identity.
  if (sandbox !== undefined)
    return {
      ...{ apiBase, apiKey: requirePrintableKey(readSandboxKey(env, apiBase, sandbox)) },
      ...(isFound || configuredBase === undefined ? proof : {}),
    }
  const profileKey = flagBase === undefined || isAt(profile.api_base) ? profile.api_key : undefined
  const daemonKey = isFound ? daemon?.api_key : undefined
  const namedKey = flagKey ?? profileKey
  const isProofRequired = isFound && (configuredBase === undefined || namedKey === undefined)
  return { apiBase, apiKey: requirePrintableKey(namedKey ?? daemonKey), ...(isProofRequired ? proof : {}) }
}

/**
 * Returns the source of an API key: a value, or the id or name of a sandbox whose key is stored. Both are undefined for the
 * key of the server. The command line overrides the environment, so that one variable never changes the meaning of a flag.
 */
export function chooseKeySource(
  flags: FlagValues,
  env: NodeJS.ProcessEnv,
): { readonly apiKey?: string | undefined; readonly sandbox?: string | undefined } {
  const apiKey = findFlagText(flags['api-key'])
  const sandbox = findFlagText(flags['sandbox'])
  if (sandbox === undefined || sandbox === DEFAULT_SANDBOX || apiKey === undefined)
    return { apiKey, sandbox: sandbox === DEFAULT_SANDBOX ? undefined : sandbox }
  const isKeyFromEnv = apiKey === env['PAYCLI_API_KEY']
  const isSandboxFromEnv = sandbox === env['PAYCLI_SANDBOX']
  if (isKeyFromEnv !== isSandboxFromEnv) return isKeyFromEnv ? { sandbox } : { apiKey }
  const [one, other] = isKeyFromEnv ? ['PAYCLI_SANDBOX', 'PAYCLI_API_KEY'] : ['--sandbox', '--api-key']
  throw new UsageError('flag_invalid', `${one} and ${other} cannot both be set: each selects a key.`, {
    param: 'sandbox',
    hint: isKeyFromEnv
      ? 'Unset one of them. --sandbox and --api-key override both.'
      : 'Omit one of them: the key of a sandbox already selects the sandbox.',
  })
}

/** Returns the stored key of a sandbox. Throws if no key of the sandbox is stored. */
function readSandboxKey(env: NodeJS.ProcessEnv, apiBase: string, idOrName: string): string {
  const sandbox = findStoredSandbox(env, apiBase, idOrName)
  if (sandbox !== undefined) return sandbox.api_key
  const known = readStoredSandboxes(env, apiBase).map(({ id, name }) => name ?? id)
  const listed = [...new Set(known)].slice(0, MAX_LISTED_SANDBOXES).join(', ')
  const create = /^sbx_/.test(idOrName) ? '' : `Create it: ${formatSandboxCreateCommand(idOrName, env)}. `
  const knownNote = known.length === 0 ? '' : `Stored: ${listed}. `
  throw new UsageError('sandbox_unknown', `No key of sandbox '${idOrName}' at ${apiBase} is stored.`, {
    param: 'sandbox',
    hint: `${knownNote}${create}For a sandbox that was created elsewhere, give its key with --api-key.`,
  })
}

/**
 * Returns the command that creates a sandbox. If PAYCLI_SANDBOX is set, the command has `--sandbox default` to use the
 * key of the server.
 */
export function formatSandboxCreateCommand(name: string | null, env: NodeJS.ProcessEnv): string {
  const nameFlag = name === null ? '' : ` --name ${quoteForShell(name)}`
  return `paycli sandboxes create${nameFlag}${env['PAYCLI_SANDBOX'] ? ` --sandbox ${DEFAULT_SANDBOX}` : ''}`
}

/**
 * Returns the API key, or undefined without a key. Throws for an invalid character, such as a line break from a file.
 * The message does not contain the key.
 */
export function requirePrintableKey(key: string | undefined): string | undefined {
  if (key === undefined || /^[\x21-\x7e]+$/.test(key)) return key
  throw new UsageError('flag_invalid', 'The API key contains an invalid character.', {
    param: 'api-key',
    hint: 'Check for a space, a line break or a quotation mark around the key.',
  })
}

/** Parses the address of an API. Returns the address without a trailing slash. */
export function parseApiBase(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  const problem = url === null ? 'is not a URL' : findProblem(url)
  if (url !== null && problem === null) return url.origin + url.pathname.replace(/\/+$/, '')
  throw new UsageError('flag_invalid', `The API address '${text}' ${problem}.`, {
    param: 'api-base',
    hint: 'Use a form such as http://127.0.0.1:4100 or https://pay.example.com, without /v1 at the end.',
  })
}

function findProblem({ protocol, username, password, pathname, search, hash }: URL): string | null {
  if (protocol !== 'http:' && protocol !== 'https:') return 'does not start with http:// or https://'
  if (username !== '' || password !== '') return 'contains credentials. Use --api-key'
  if (search !== '' || hash !== '') return 'has a query or a fragment'
  return /\/v1\/*$/.test(pathname) ? 'ends with /v1, which every request adds' : null
}
