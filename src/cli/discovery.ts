import { isFields } from '../client/fields.ts'
import { userHome } from './home.ts'

/** Where this machine's daemon said it is when it started, and the key that opens it. */
export interface LocalDaemon {
  readonly api_url: string
  readonly api_key: string
  readonly webhook_secret?: string
}

/**
 * The daemon that this user's locator file names, or null without such a file. A daemon that was killed leaves the
 * file behind; the call that follows then finds nobody there, which is told in its own words.
 */
export function findLocalDaemon(env: Readonly<Record<string, string | undefined>>): LocalDaemon | null {
  // Importing node:fs would load its streams too.
  const { readFileSync } = process.getBuiltinModule('node:fs')
  try {
    return asDaemon(JSON.parse(readFileSync(`${userHome(env)}/daemon.json`, 'utf8')))
  } catch {
    return null
  }
}

function asDaemon(value: unknown): LocalDaemon | null {
  if (!isFields(value)) return null
  const { api_url, api_key, webhook_secret } = value
  if (typeof api_url !== 'string' || typeof api_key !== 'string') return null
  return { api_url, api_key, ...(typeof webhook_secret === 'string' ? { webhook_secret } : {}) }
}
