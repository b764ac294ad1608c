import { ApiError } from '../../client/api-error.ts'
import { type Client, createClient } from '../../client/client.ts'
import { ConnectionError } from '../../client/connection-error.ts'
import { type Fields, isFields } from '../../client/fields.ts'
import type { Callable } from '../../client/request.ts'
import { UsageError } from '../errors/usage-error.ts'
import type { FlagValues } from '../parse/params.ts'
import { readConfig } from './config.ts'
import { processStart } from './process-start.ts'
import { isProcessRunning } from './processes.ts'
import { readLocator, readServices } from './service-discovery.ts'

type Env = Readonly<Record<string, string | undefined>>

const HEALTH: Callable = { method: 'GET', path: '/healthz' }
const READY: Callable = { method: 'GET', path: '/readyz' }
/** The call that asks for a key and leaves no trace in the log. */
const LOGS: Callable = { method: 'GET', path: '/v1/request_logs' }
/** A daemon of this machine that takes longer than this to say that it is well is not. */
const HEALTH_LIMIT_MS = 5000

/** Where a service that answers is, and what opens it; null where that is not known, as of one elsewhere. */
export interface ServiceStatus {
  readonly api_url: string
  /** Where others reach it, if that is not there. */
  readonly public_api_url: string | null
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
  const told = placesOf(env).find((one) => one['api_url'] === apiBase && one['pid'] === health['pid']) ?? {}
  return statusFrom({ ...told, api_url: apiBase, api_key: apiKey }, health)
}

/** A status with how the database stands; null where the service is too old to tell. */
export type ReadyStatus = ServiceStatus & { readonly database: 'ok' | 'away' | null }

/**
 * The same with whether the service can carry out requests, and not only answers; rejects with `ApiError` when it refuses
 * the key, where one is known.
 */
export async function readyStatusOf(flags: FlagValues, env: Env): Promise<ReadyStatus> {
  const status = await statusOf(flags, env)
  const client: Client = createClient({ apiBase: status.api_url, timeoutMs: HEALTH_LIMIT_MS })
  const database = await client.send(READY, {}).then(() => 'ok' as const, databaseIn)
  // A database that is away knows no key.
  if (database !== 'away') await requireOpening(status)
  return { ...status, database }
}

async function requireOpening({ api_url, api_key }: ServiceStatus): Promise<void> {
  if (api_key === null) return
  const client: Client = createClient({ apiBase: api_url, apiKey: api_key, timeoutMs: HEALTH_LIMIT_MS })
  try {
    await client.send(LOGS, { limit: 1 })
  } catch (error) {
    // A restricted key that may not read these is a key.
    if (!(error instanceof ApiError) || error.status === 401) throw error
  }
}

// Whatever stands between may know no such path, and answer it in its own way.
function databaseIn(error: unknown): 'away' | null {
  if (!(error instanceof ApiError || error instanceof ConnectionError)) throw error
  return error instanceof ApiError && error.status === 503 ? 'away' : null
}

// The one that is found first may be of a paycli that noted no others.
function placesOf(env: Env): Fields[] {
  return [readLocator(env) ?? {}, ...readServices(env)]
}

function statusFrom(told: Fields, health: Fields): ServiceStatus {
  return {
    api_url: String(told['api_url']),
    public_api_url: text(told['public_api_url']),
    checkout_url: text(told['checkout_url']),
    api_key: text(told['api_key']),
    webhook_secret: text(told['webhook_secret']),
    db: text(told['db']),
    pid: typeof health['pid'] === 'number' ? health['pid'] : null,
    version: text(health['version']),
  }
}

/** A service of this user that answers, as the process it said it is. */
export interface RunningService extends ServiceStatus {
  readonly pid: number
  /** Whether it is the one that commands find without being told. */
  readonly is_default: boolean
}

/** All services of this user that answer as what they wrote down, the one that commands find first. */
export async function runningServices(env: Env): Promise<RunningService[]> {
  return (await localServices(env)).filter(({ isSilent }) => !isSilent).map(({ service }) => service)
}

/** A service of this user whose process runs. */
export interface LocalService {
  readonly service: RunningService
  /** Whether its address accepts connections but does not answer in time. */
  readonly isSilent: boolean
  /** Whether the process of that number is the service: the number may have been given to another one since. */
  readonly isVerified: boolean
}

/** The same with those that do not answer while there is a process of their number. */
export async function localServices(env: Env): Promise<LocalService[]> {
  const found = readLocator(env)?.['api_url']
  // Processes of two containers may have one number, and one address may have been another process's before.
  const places = new Map<string, Fields>()
  for (const place of placesOf(env)) {
    const name = `${place['pid']} ${place['api_url']}`
    if (!places.has(name) || isOfProcess(place)) places.set(name, place)
  }
  const running = await Promise.all([...places.values()].map((place) => runningAt(place, found)))
  return running.flatMap((one) => one ?? [])
}

async function runningAt(place: Fields, found: unknown): Promise<LocalService | null> {
  const { pid, api_url } = place
  if (typeof pid !== 'number' || typeof api_url !== 'string') return null
  const health = await healthAt(api_url).catch((error: unknown) =>
    isTimeout(error) && isProcessRunning(pid) ? 'silent' : nullWhenAnother(error),
  )
  if (health !== 'silent' && health?.['pid'] !== pid) return null
  const isSilent = health === 'silent'
  const told = isSilent || health === null ? {} : health
  const service = { ...statusFrom(place, told), pid, is_default: api_url === found }
  // An answer names the process, but perhaps one of another container.
  const isVerified = isOfProcess(place) || (!isSilent && text(place['process_start']) === null)
  return { service, isSilent, isVerified }
}

/** Whether the process of its number is still the one that wrote a record down. */
function isOfProcess({ pid, process_start }: Fields): boolean {
  return typeof pid === 'number' && typeof process_start === 'string' && processStart(pid) === process_start
}

function isTimeout(error: unknown): boolean {
  return error instanceof ConnectionError && error.code === 'timeout'
}

/** Whether a service answers at an address as a process, or takes long to while that process, or one of its number, is there. */
export async function isServed(place: {
  readonly pid: number
  readonly api_url: string
  readonly process_start?: string | null
}): Promise<boolean> {
  try {
    return (await healthAt(place.api_url))['pid'] === place.pid
  } catch (error) {
    if (isTimeout(error))
      return isProcessRunning(place.pid) && (!place.process_start || isOfProcess({ ...place }))
    nullWhenAnother(error)
    return false
  }
}

// What listens there now may be no paycli, and say anything.
function nullWhenAnother(error: unknown): null {
  if (error instanceof ConnectionError || error instanceof ApiError || error instanceof UsageError)
    return null
  throw error
}

/** The service of this user that commands find, given an address or not; null when it does not run, or not here. */
export async function ownService(env: Env): Promise<RunningService | null> {
  return ownAmong(await runningServices(env), env)
}

/** The same among those that are known to run. */
export function ownAmong(
  running: readonly RunningService[],
  { PAYCLI_API_BASE: base }: Env,
): RunningService | null {
  return running.find((one) => (base ? one.api_url === base.replace(/\/+$/, '') : one.is_default)) ?? null
}

/** What to tell of services that go on; null when there are none. */
export function othersNote(others: readonly RunningService[]): string | null {
  if (others.length === 0) return null
  const places = others.map(({ api_url, pid }) => `${api_url} (process ${pid})`).join(', ')
  return `Still running: ${places}. See them: paycli status --all. Stop one: paycli stop --pid <process>, or all: paycli stop --all`
}

async function healthAt(apiBase: string): Promise<Fields> {
  const client: Client = createClient({ apiBase, timeoutMs: HEALTH_LIMIT_MS })
  const health = await client.send(HEALTH, {})
  return isFields(health) ? health : {}
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
