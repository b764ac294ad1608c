import { type Fields, isFields } from '../../client/fields.ts'
import { UsageError } from '../errors/usage-error.ts'
import { homesToRead, pathToRead } from './home.ts'
import { readOwnFile } from './own-file.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Where this machine's daemon said it is when it started, and the key that opens it. */
export interface LocalDaemon {
  readonly api_url: string
  readonly api_key: string
  readonly webhook_secret?: string
}

/** As many are more than anybody runs. */
const MAX_SERVICES = 100

/**
 * The daemon that this user's locator file names, or null without such a file; given the address of another one of this
 * user, that one. A daemon that was killed leaves its file behind; the call that follows then finds nobody there, which
 * is told in its own words. Throws for a locator file that is a symbolic link or belongs to another user.
 */
export function findLocalDaemon(env: Env, apiBase?: string): LocalDaemon | null {
  const found = readOwnFields(locatorFile(env))
  if (apiBase === undefined || found?.['api_url'] === apiBase) return daemonIn(found)
  return daemonIn(readServices(env).find((one) => one['api_url'] === apiBase) ?? null)
}

function daemonIn(place: Fields | null): LocalDaemon | null {
  const { api_url, api_key, webhook_secret } = place ?? {}
  if (typeof api_url !== 'string' || typeof api_key !== 'string') return null
  return { api_url, api_key, ...(typeof webhook_secret === 'string' ? { webhook_secret } : {}) }
}

/** All that the locator file says; null when there is none that can be read. */
export function readLocator(env: Env): Fields | null {
  return readFields(locatorFile(env))
}

function locatorFile(env: Env): string {
  return pathToRead(env, 'daemon.json')
}

/** All that the services of this user wrote down when they started; some may be gone. */
export function readServices(env: Env): Fields[] {
  return homesToRead(env).flatMap((home) => servicesIn(`${home}/services`))
}

function servicesIn(folder: string): Fields[] {
  const { readdirSync } = process.getBuiltinModule('node:fs')
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith('.json'))
    return names.slice(0, MAX_SERVICES).flatMap((name) => {
      const place = readFields(`${folder}/${name}`)
      return place === null ? [] : [place]
    })
  } catch {
    return []
  }
}

function readFields(file: string): Fields | null {
  try {
    return readOwnFields(file)
  } catch {
    return null
  }
}

function readOwnFields(file: string): Fields | null {
  try {
    const value: unknown = JSON.parse(readOwnFile(file) ?? 'null')
    return isFields(value) ? value : null
  } catch (error) {
    if (error instanceof UsageError) throw error
    return null
  }
}
