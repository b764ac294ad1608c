import { type Fields, isFields } from '../client/fields.ts'
import { userHome } from './home.ts'

type Env = Readonly<Record<string, string | undefined>>

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
export function findLocalDaemon(env: Env): LocalDaemon | null {
  const { api_url, api_key, webhook_secret } = readLocator(env) ?? {}
  if (typeof api_url !== 'string' || typeof api_key !== 'string') return null
  return { api_url, api_key, ...(typeof webhook_secret === 'string' ? { webhook_secret } : {}) }
}

/** All that the locator file says; null when there is none that can be read. */
export function readLocator(env: Env): Fields | null {
  // Importing node:fs would load its streams too.
  const { readFileSync } = process.getBuiltinModule('node:fs')
  try {
    const value: unknown = JSON.parse(readFileSync(`${userHome(env)}/daemon.json`, 'utf8'))
    return isFields(value) ? value : null
  } catch {
    return null
  }
}
