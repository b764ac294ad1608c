import { isJsonObject, type JsonObject, parseJson } from '../../domain/core/json-object.ts'
import { UsageError } from '../errors/usage-error.ts'
import { listHomeFolders, resolvePathInHome } from './home.ts'
import { readOptionalOwnFile } from './user-file.ts'

const MAX_RECORDS = 100

/**
 * Returns the address and secrets of the daemon in the user's locator file, or of the user's daemon at `apiBase`, or
 * null. If the daemon was killed, its file remains. Throws for a locator file that is a symbolic link or belongs to
 * another user.
 */
export function findLocalDaemon(env: NodeJS.ProcessEnv, apiBase?: string) {
  const record = readRecord(locatorPath(env))
  if (apiBase === undefined || record?.['api_url'] === apiBase) return toLocalDaemon(record)
  return toLocalDaemon(readServiceRecords(env).find(({ api_url }) => api_url === apiBase) ?? null)
}

/** Returns the secret with which the user's daemon at an address proves itself, or null without a file or a secret. */
export function findServerSecret(env: NodeJS.ProcessEnv, apiBase: string): string | null {
  const isThere = (record: JsonObject | null) => record?.['api_url'] === apiBase
  const locator = readLocatorFile(env)
  const record = isThere(locator) ? locator : readServiceRecords(env).find(isThere)
  const secret = record?.['server_secret']
  return typeof secret === 'string' ? secret : null
}

/**
 * Deletes the files of servers that ended without deleting them. `isStale` returns whether the server of a record has
 * ended.
 */
export function removeStaleRecords(env: NodeJS.ProcessEnv, isStale: (record: JsonObject) => boolean): void {
  const { rmSync } = process.getBuiltinModule('node:fs')
  for (const file of [locatorPath(env), ...listRecords(env)]) {
    // Read the record again, because a new server may have replaced the file.
    const record = tryReadRecord(file)
    if (record !== null && isStale(record)) rmSync(file, { force: true })
  }
}

function toLocalDaemon(record: JsonObject | null) {
  const { api_url, api_key, webhook_secret } = record ?? {}
  if (typeof api_url !== 'string' || typeof api_key !== 'string') return null
  return { api_url, api_key, ...(typeof webhook_secret === 'string' ? { webhook_secret } : {}) }
}

/** Returns the record in the locator file, or null for an unreadable file. */
export function readLocatorFile(env: NodeJS.ProcessEnv): JsonObject | null {
  return tryReadRecord(locatorPath(env))
}

function locatorPath(env: NodeJS.ProcessEnv): string {
  return resolvePathInHome(env, 'daemon.json')
}

/** Returns the records that the user's daemons wrote when they started. Some daemons may have ended since. */
export function readServiceRecords(env: NodeJS.ProcessEnv): JsonObject[] {
  return listRecords(env)
    .map(tryReadRecord)
    .filter((record) => record !== null)
}

function listRecords(env: NodeJS.ProcessEnv): string[] {
  const { readdirSync } = process.getBuiltinModule('node:fs')
  return listHomeFolders(env).flatMap((home) => {
    const folder = `${home}/services`
    try {
      const names = readdirSync(folder).filter((name) => name.endsWith('.json'))
      return names.slice(0, MAX_RECORDS).map((name) => `${folder}/${name}`)
    } catch {
      return []
    }
  })
}

/** Returns the JSON object in a file of the user, or null when the file is not readable or has no object. */
export function tryReadRecord(file: string): JsonObject | null {
  try {
    return readRecord(file)
  } catch {
    return null
  }
}

function readRecord(file: string): JsonObject | null {
  try {
    const value = parseJson(readOptionalOwnFile(file) ?? '')
    return isJsonObject(value) ? value : null
  } catch (error) {
    if (error instanceof UsageError) throw error
    return null
  }
}
