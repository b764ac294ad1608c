import { isJsonObject, parseJson } from '../domain/core/json-object.ts'
import { getDataFolder } from '../domain/text/data-folder.ts'

const DEFAULT_BASE = 'http://127.0.0.1:4100'

/** Returns the secret in the private file of the local server at an address, or null without a file or a secret. */
export type ReadServerSecret = () => string | null

/** The address of a server, and the key and the secret for connections to that server. */
export interface ServerConnection {
  /** Address of the API without `/v1`, such as `http://127.0.0.1:4100`. */
  readonly apiBase: string
  readonly apiKey?: string | undefined
  /** Set for a local server, which must prove its identity on each connection before the client sends the key. */
  readonly readServerSecret?: ReadServerSecret | undefined
}

/**
 * Returns the address and key from `PAYCLI_API_BASE` and `PAYCLI_API_KEY`, else from the file of the running server in
 * paycli's home folder, else the default address.
 */
export function resolveServerConnection(
  env: Readonly<Record<string, string | undefined>> = process.env,
): ServerConnection {
  const { PAYCLI_API_BASE: base = '', PAYCLI_API_KEY: key = '' } = env
  const given = base === '' ? null : base.replace(/\/+$/, '')
  const local = given !== null && key !== '' ? null : readLocator(env)
  const apiBase = given ?? local?.apiBase ?? DEFAULT_BASE
  // A stored key is only sent to the address with which it is stored.
  const localKey = local?.apiBase === apiBase ? local.apiKey : undefined
  const isFound = local?.apiBase === apiBase && (given === null || key === '')
  const readServerSecret: ReadServerSecret = () => {
    const current = readLocator(env)
    return current?.apiBase === apiBase ? current.secret : null
  }
  return { apiBase, apiKey: key === '' ? localKey : key, ...(isFound ? { readServerSecret } : {}) }
}

// Reads the file that the server writes when it starts. A killed server does not delete the file.
function readLocator(env: Readonly<Record<string, string | undefined>>) {
  const { existsSync, readFileSync } = process.getBuiltinModule('node:fs')
  const file = `${getDataFolder(env, process.getBuiltinModule('node:os').homedir())}/daemon.json`
  const value = existsSync(file) ? parseJson(readFileSync(file, 'utf8')) : null
  const { api_url, api_key, server_secret } = isJsonObject(value) ? value : {}
  return typeof api_url === 'string' && typeof api_key === 'string'
    ? { apiBase: api_url, apiKey: api_key, secret: typeof server_secret === 'string' ? server_secret : null }
    : null
}
