import { UsageError } from '../errors/usage-error.ts'
import { type FlagValues, stringValue } from '../parse/params.ts'
import { findProfile } from './profiles.ts'
import { findLocalDaemon } from './service-discovery.ts'

const DEFAULT_BASE = 'http://127.0.0.1:4100'

/** The address and key of an API. */
export interface ConnectionConfig {
  /** The base URL without `/v1` and without a trailing slash. */
  readonly apiBase: string
  /** Undefined when no key is configured. The API then returns an error. */
  readonly apiKey: string | undefined
}

/** The functions that read settings which no flag sets. */
interface ConfigSources {
  readonly findDaemon: typeof findLocalDaemon
  readonly findProfile: typeof findProfile
}

const FILES: ConfigSources = { findDaemon: findLocalDaemon, findProfile }

/**
 * Returns the address and key of the API: from flags or their environment variables, else from the profile, else from the
 * running local daemon, else the default address. A stored key is only sent to the address with which it is stored.
 */
export function readConfig(
  flags: FlagValues,
  env: NodeJS.ProcessEnv,
  sources: ConfigSources = FILES,
): ConnectionConfig {
  const flagBase = stringValue(flags['api-base'])
  const flagKey = stringValue(flags['api-key'])
  const profileName = stringValue(flags['profile'])
  const isComplete = flagBase !== undefined && flagKey !== undefined && profileName === undefined
  const profile = isComplete ? {} : sources.findProfile(env, profileName)
  const base = flagBase ?? profile.api_base
  const configuredBase = base === undefined ? undefined : parseBase(base)
  const daemon = isComplete ? null : sources.findDaemon(env, configuredBase)
  const apiBase = configuredBase ?? parseBase(daemon?.api_url ?? DEFAULT_BASE)
  const isAt = (address: string | undefined) => address !== undefined && apiBase === parseBase(address)
  const profileKey = flagBase === undefined || isAt(profile.api_base) ? profile.api_key : undefined
  const daemonKey = isAt(daemon?.api_url) ? daemon?.api_key : undefined
  return { apiBase, apiKey: requireValidKey(flagKey ?? profileKey ?? daemonKey) }
}

// A line break from a file would cause an HTTP error. The message must not contain the key.
function requireValidKey(key: string | undefined): string | undefined {
  if (key === undefined || /^[\x21-\x7e]+$/.test(key)) return key
  throw new UsageError('flag_invalid', 'The API key contains an invalid character.', {
    param: 'api-key',
    hint: 'Check for a space, a line break or a quotation mark around it.',
  })
}

function parseBase(text: string): string {
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
