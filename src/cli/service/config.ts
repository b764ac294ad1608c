import { UsageError } from '../errors/usage-error.ts'
import type { FlagValues } from '../parse/params.ts'
import { findProfile } from './profiles.ts'
import { findLocalDaemon } from './service-discovery.ts'

const DEFAULT_BASE = 'http://127.0.0.1:4100'

export interface Config {
  /** Address of the API without `/v1` and without a slash at its end. */
  readonly apiBase: string
  /** Undefined when nobody named one: the service then says what is missing. */
  readonly apiKey: string | undefined
}

type Env = Readonly<Record<string, string | undefined>>

/** What is looked up when the flags do not say it. */
interface Sources {
  readonly findDaemon: typeof findLocalDaemon
  readonly profileOf: typeof findProfile
}

const FILES: Sources = { findDaemon: findLocalDaemon, profileOf: findProfile }

/**
 * Where the API is and what opens it: what flags say (oclif reads their environment variables), else the profile, else
 * the running local daemon, else the default address. A key that belongs to an address goes to that address only.
 */
export function readConfig(flags: FlagValues, env: Env, { findDaemon, profileOf }: Sources = FILES): Config {
  const base = textOf(flags['api-base'])
  const key = textOf(flags['api-key'])
  const named = textOf(flags['profile'])
  const isComplete = base !== undefined && key !== undefined && named === undefined
  const profile = isComplete ? {} : profileOf(env, named)
  const chosen = base ?? profile.api_base
  const namedBase = chosen === undefined ? undefined : checkedBase(chosen)
  const daemon = isComplete ? null : findDaemon(env, namedBase)
  const apiBase = namedBase ?? checkedBase(daemon?.api_url ?? DEFAULT_BASE)
  const isAt = (address: string | undefined) => address !== undefined && apiBase === checkedBase(address)
  const isOfProfile = base === undefined || isAt(profile.api_base)
  const kept = isOfProfile ? profile.api_key : undefined
  return { apiBase, apiKey: checkedKey(key ?? kept ?? (isAt(daemon?.api_url) ? daemon?.api_key : undefined)) }
}

// A line break from a file would otherwise end in a fault of HTTP; the key itself is shown nowhere.
function checkedKey(key: string | undefined): string | undefined {
  if (key === undefined || /^[\x21-\x7e]+$/.test(key)) return key
  const hint = 'Check for a space, a line break or a quotation mark around it.'
  throw new UsageError('flag_invalid', 'The API key holds a character that no key has.', {
    param: 'api-key',
    hint,
  })
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function checkedBase(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  const hint = 'Write it as http://127.0.0.1:4100 or https://pay.example.com, without /v1 at its end.'
  const problem = url === null ? 'is no URL' : problemOf(url)
  if (url !== null && problem === null) return url.origin + url.pathname.replace(/\/+$/, '')
  throw new UsageError('flag_invalid', `The API address '${text}' ${problem}.`, { param: 'api-base', hint })
}

function problemOf({ protocol, username, password, pathname, search, hash }: URL): string | null {
  if (protocol !== 'http:' && protocol !== 'https:') return 'starts with neither http:// nor https://'
  if (username !== '' || password !== '') return 'holds credentials, which belong in --api-key'
  if (search !== '' || hash !== '') return 'has a query or a fragment'
  return /\/v1\/*$/.test(pathname) ? 'ends with /v1, which every call adds by itself' : null
}
