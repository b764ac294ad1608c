import { ApiError } from '../../client/api-error.ts'
import { createClient } from '../../client/client.ts'
import { ConnectionError, type ConnectionErrorCode } from '../../client/connection-error.ts'
import type { CallableOperation } from '../../client/request.ts'
import type { ReadServerSecret, ServerConnection } from '../../client/server-connection.ts'
import type { JsonObject } from '../../domain/core/json-object.ts'
import { UsageError } from '../errors/usage-error.ts'
import type { FlagValues } from '../parse/params.ts'
import { resolveConnectionConfig } from './config.ts'
import { readProcessStart } from './process-start.ts'
import { isOwnProcessRunning } from './processes.ts'
import { findSelectedSandbox } from './selected-sandbox.ts'
import { readLocatorFile, readServiceRecords, removeStaleRecords } from './service-discovery.ts'

const HEALTH: CallableOperation = { method: 'GET', path: '/healthz' }
const READY: CallableOperation = { method: 'GET', path: '/readyz' }
/** A call that requires a key and is not recorded in the request log. */
export const KEY_CHECK_OPERATION: CallableOperation = { method: 'GET', path: '/v1/request_logs' }
/** Maximum response time of a healthy local daemon. */
const HEALTH_TIMEOUT_MS = 5000

/** The addresses, secrets and process of a running server. Unknown values, as of a remote server, are null. */
export interface ServiceStatus {
  readonly api_url: string
  /** The public address of the API; null if it is unknown or not configured. */
  readonly public_api_url: string | null
  readonly checkout_url: string | null
  readonly api_key: string | null
  readonly webhook_secret: string | null
  readonly db: string | null
  readonly pid: number | null
  readonly version: string | null
  /** The id of the sandbox; absent for the default sandbox. */
  readonly sandbox?: string
}

/** Reads the status of the configured server. Throws a `ConnectionError` when the server does not respond. */
export async function readServiceStatus(flags: FlagValues, env: NodeJS.ProcessEnv): Promise<ServiceStatus> {
  const config = resolveConnectionConfig(flags, env)
  const { apiBase, apiKey, readServerSecret } = config
  const health = await readHealth(apiBase, readServerSecret)
  const record = readRecords(env).find(({ api_url, pid }) => api_url === apiBase && pid === health['pid'])
  const status = toStatus({ ...record, api_url: apiBase, api_key: apiKey }, health)
  const sandbox = findSelectedSandbox(config, env)
  if (sandbox === null) return status
  const { id, checkout_url, webhook_secret } = sandbox
  return { ...status, checkout_url, webhook_secret, sandbox: id }
}

/** A status with the results of the readiness check of the server, which are null for older servers. */
export type StatusWithReadiness = ServiceStatus & Readiness

interface Readiness {
  /** The availability of the database. */
  readonly database: 'ok' | 'away' | null
  /** The number of active sandboxes besides the default sandbox. */
  readonly sandboxes: number | null
}

/** Reads the status and checks that the server is ready. Throws an `ApiError` when the server rejects the known key. */
export async function readStatusWithReadiness(
  flags: FlagValues,
  env: NodeJS.ProcessEnv,
): Promise<StatusWithReadiness> {
  const status = await readServiceStatus(flags, env)
  const client = createClient({ apiBase: status.api_url, timeoutMs: HEALTH_TIMEOUT_MS })
  const readiness = await client.send(READY, {}).then(toReadiness, toUnreadiness)
  // The server cannot verify a key while its database is unavailable.
  if (readiness.database !== 'away') await requireValidKey(resolveConnectionConfig(flags, env))
  return { ...status, ...readiness }
}

function toReadiness({ sandboxes }: { readonly sandboxes?: unknown }): Readiness {
  return { database: 'ok', sandboxes: typeof sandboxes === 'number' ? sandboxes : null }
}

async function requireValidKey(config: ServerConnection): Promise<void> {
  if (config.apiKey === undefined) return
  try {
    await createClient({ ...config, timeoutMs: HEALTH_TIMEOUT_MS }).send(KEY_CHECK_OPERATION, { limit: 1 })
  } catch (error) {
    // A restricted key without the required scope is valid too.
    if (!(error instanceof ApiError) || error.status === 401) throw error
  }
}

// A proxy that does not know the path may send its own response.
function toUnreadiness(error: unknown): Readiness {
  if (!(error instanceof ApiError || error instanceof ConnectionError)) throw error
  return { database: error instanceof ApiError && error.status === 503 ? 'away' : null, sandboxes: null }
}

// Older versions of paycli write only the locator file.
function readRecords(env: NodeJS.ProcessEnv): JsonObject[] {
  return [readLocatorFile(env) ?? {}, ...readServiceRecords(env)]
}

function toStatus(record: JsonObject, health: JsonObject): ServiceStatus {
  return {
    api_url: String(record['api_url']),
    public_api_url: text(record['public_api_url']),
    checkout_url: text(record['checkout_url']),
    api_key: text(record['api_key']),
    webhook_secret: text(record['webhook_secret']),
    db: text(record['db']),
    pid: typeof health['pid'] === 'number' ? health['pid'] : null,
    version: text(health['version']),
  }
}

/** A running daemon of the user. */
export interface RunningDaemonStatus extends ServiceStatus {
  readonly pid: number
  /** Whether commands use this daemon by default. */
  readonly is_default: boolean
}

/** Describes the database of a running daemon, as a part of a sentence. */
export function describeDatabase({ db }: RunningDaemonStatus): string {
  return db === null ? 'with a database in memory' : `with the database ${db}`
}

/** Returns the user's daemons that respond, the default daemon first. */
export async function listRunningServices(env: NodeJS.ProcessEnv): Promise<RunningDaemonStatus[]> {
  const services = await listLocalServices(env)
  return services.filter(({ isUnresponsive }) => !isUnresponsive).map(({ service }) => service)
}

/** Returns the user's daemons that respond, and unresponsive daemons whose process id is in use. */
export async function listLocalServices(env: NodeJS.ProcessEnv) {
  const defaultUrl = readLocatorFile(env)?.['api_url']
  // Processes in different containers may have the same id, and an address may have belonged to another process before.
  const records = new Map<string, JsonObject>()
  for (const record of readRecords(env)) {
    const key = `${record['pid']} ${record['api_url']}`
    if (!records.has(key) || isSameProcess(record)) records.set(key, record)
  }
  const checks = [...records.values()].map((record) => checkService(record, defaultUrl, env))
  const running = await Promise.all(checks)
  return running.flatMap((one) => one ?? [])
}

async function checkService(record: JsonObject, defaultUrl: unknown, env: NodeJS.ProcessEnv) {
  const { pid, api_url } = record
  if (typeof pid !== 'number' || typeof api_url !== 'string') return null
  const health = await readRecordedHealth(record).catch((error: unknown) => {
    // Keep the locator file while another program uses the address: commands then require a proof of the server.
    if (isConnectionError(error, 'connection_refused') && !isProcessLeft(record))
      removeStaleRecords(env, (other) => isSameRecord(record, other))
    return isConnectionError(error, 'timeout') && isOwnProcessRunning(pid) ? 'timeout' : nullIfExpected(error)
  })
  const isUnresponsive = health === 'timeout'
  if (!isUnresponsive && health?.['pid'] !== pid) return null
  const status = toStatus(record, isUnresponsive || health === null ? {} : health)
  const service: RunningDaemonStatus = { ...status, pid, is_default: api_url === defaultUrl }
  return {
    service,
    /** Whether the address of the daemon accepts connections but does not respond in time. */
    isUnresponsive,
    /**
     * Whether the process with this id is the daemon. The system may have reused the id for another process, or the id
     * in the response may be from another container.
     */
    isVerified: isSameProcess(record) || (!isUnresponsive && text(record['process_start']) === null),
  }
}

/** Returns whether the process with the recorded id wrote the record. */
function isSameProcess({ pid, process_start }: JsonObject): boolean {
  return (
    typeof pid === 'number' && typeof process_start === 'string' && readProcessStart(pid) === process_start
  )
}

// Without a recorded start time, any process with the id may be the server.
function isProcessLeft(record: JsonObject): boolean {
  const { pid, process_start } = record
  if (typeof pid !== 'number') return false
  return typeof process_start === 'string' ? isSameProcess(record) : isOwnProcessRunning(pid)
}

function isSameRecord(one: JsonObject, other: JsonObject): boolean {
  return ['pid', 'api_url', 'process_start', 'server_secret'].every((name) => one[name] === other[name])
}

function isConnectionError(error: unknown, code: ConnectionErrorCode): boolean {
  return error instanceof ConnectionError && error.code === code
}

/** Returns whether a daemon responds or, if the response takes too long, whether the process runs. */
export async function isServiceRunning(record: {
  readonly pid: number
  readonly api_url: string
  readonly process_start?: string | null
  readonly server_secret?: string | null
}): Promise<boolean> {
  try {
    return (await readRecordedHealth({ ...record }))['pid'] === record.pid
  } catch (error) {
    if (isConnectionError(error, 'timeout'))
      return isOwnProcessRunning(record.pid) && (!record.process_start || isSameProcess({ ...record }))
    nullIfExpected(error)
    return false
  }
}

// Another program may listen at the address now and send any response.
function nullIfExpected(error: unknown): null {
  if (error instanceof ConnectionError || error instanceof ApiError || error instanceof UsageError)
    return null
  throw error
}

/** Returns the daemon at PAYCLI_API_BASE (default: the default daemon) among running daemons, or null. */
export function findConfiguredService(
  running: readonly RunningDaemonStatus[],
  { PAYCLI_API_BASE: base }: NodeJS.ProcessEnv,
): RunningDaemonStatus | null {
  return running.find((one) => (base ? one.api_url === base.replace(/\/+$/, '') : one.is_default)) ?? null
}

/** Returns a note on daemons that still run, or null without such daemons. */
export function formatRunningServicesNote(others: readonly RunningDaemonStatus[]): string | null {
  if (others.length === 0) return null
  const list = others.map(({ api_url, pid }) => `${api_url} (process ${pid})`).join(', ')
  return `Still running: ${list}. List them: paycli status --all. Stop one: paycli stop --pid <process>, or all: paycli stop --all`
}

// A server of an earlier version has no secret.
function readRecordedHealth({ api_url, server_secret: secret }: JsonObject): Promise<JsonObject> {
  return readHealth(String(api_url), typeof secret === 'string' ? () => secret : undefined)
}

async function readHealth(apiBase: string, readServerSecret?: ReadServerSecret): Promise<JsonObject> {
  const client = createClient({ apiBase, readServerSecret, timeoutMs: HEALTH_TIMEOUT_MS })
  return { ...(await client.send(HEALTH, {})) }
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
