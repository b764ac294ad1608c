import { type Client, createClient } from '../client/client.ts'
import { ConnectionError } from '../client/connection-error.ts'
import { type Fields, isFields } from '../client/fields.ts'
import type { Callable } from '../client/request.ts'
import { readConfig } from './config.ts'
import { readLocator } from './discovery.ts'
import type { FlagValues } from './params.ts'

type Env = Readonly<Record<string, string | undefined>>

const HEALTH: Callable = { method: 'GET', path: '/healthz' }
/** A daemon of this machine that takes longer than this to say that it is well is not. */
const HEALTH_LIMIT_MS = 5000

/** Where a service that answers is, and what opens it; null where that is not known, as of one elsewhere. */
export interface ServiceStatus {
  readonly api_url: string
  readonly checkout_url: string | null
  readonly api_key: string | null
  readonly webhook_secret: string | null
  readonly db: string | null
  readonly pid: number | null
  readonly version: string | null
}

/** The status of the service that commands talk to; rejects with `ConnectionError` when it does not answer. */
export async function statusOf(flags: FlagValues, env: Env): Promise<ServiceStatus> {
  const { apiBase, apiKey } = readConfig(flags, env)
  const health = await healthAt(apiBase)
  const locator = readLocator(env) ?? {}
  const isLocal = locator['api_url'] === apiBase && locator['pid'] === health['pid']
  const told = isLocal ? locator : {}
  return {
    api_url: apiBase,
    checkout_url: text(told['checkout_url']),
    api_key: apiKey ?? null,
    webhook_secret: text(told['webhook_secret']),
    db: text(told['db']),
    pid: typeof health['pid'] === 'number' ? health['pid'] : null,
    version: text(health['version']),
  }
}

/** The process of this user's daemon, if the locator file names one that answers with that number; else null. */
export async function findRunning(
  env: Env,
): Promise<{ readonly pid: number; readonly api_url: string } | null> {
  const { pid, api_url } = readLocator(env) ?? {}
  if (typeof pid !== 'number' || typeof api_url !== 'string') return null
  const health = await healthAt(api_url).catch((error: unknown) => {
    if (error instanceof ConnectionError) return null
    throw error
  })
  return health?.['pid'] === pid ? { pid, api_url } : null
}

async function healthAt(apiBase: string): Promise<Fields> {
  const client: Client = createClient({ apiBase, timeoutMs: HEALTH_LIMIT_MS })
  const health = await client.send(HEALTH, {})
  return isFields(health) ? health : {}
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
