import { getHomeFolder } from '../domain/home-folder.ts'
import { isJsonObject, parseJson } from './json-object.ts'

const DEFAULT_BASE = 'http://127.0.0.1:4100'

/** The address and key of a server. */
export interface ServerAddress {
  readonly apiBase: string
  readonly apiKey: string | undefined
}

/**
 * Returns the address and key in `PAYCLI_API_BASE` and `PAYCLI_API_KEY`, else those of the running server in paycli's home
 * folder, else the default address.
 */
export function findServer(env: Readonly<Record<string, string | undefined>> = process.env): ServerAddress {
  const { PAYCLI_API_BASE: base = '', PAYCLI_API_KEY: key = '' } = env
  const given = base === '' ? null : base.replace(/\/+$/, '')
  const local = given !== null && key !== '' ? null : readLocator(env)
  const apiBase = given ?? local?.apiBase ?? DEFAULT_BASE
  // A stored key is only sent to the address with which it is stored.
  const localKey = local?.apiBase === apiBase ? local.apiKey : undefined
  return { apiBase, apiKey: key === '' ? localKey : key }
}

// The server writes this file when it starts. A server that was killed leaves it, and a request then fails.
function readLocator(env: Readonly<Record<string, string | undefined>>): ServerAddress | null {
  const { existsSync, readFileSync } = process.getBuiltinModule('node:fs')
  const file = `${getHomeFolder(env, process.getBuiltinModule('node:os').homedir())}/daemon.json`
  const value = existsSync(file) ? parseJson(readFileSync(file, 'utf8')) : null
  const { api_url, api_key } = isJsonObject(value) ? value : {}
  return typeof api_url === 'string' && typeof api_key === 'string'
    ? { apiBase: api_url, apiKey: api_key }
    : null
}
