import { DomainError } from '../core/domain-error.ts'

/** The limits of the contents of one sandbox other than `default`. */
export interface SandboxQuotas {
  /** The maximum number of records of all types: objects, events, deliveries, stored responses and log entries. */
  readonly objects: number
  /** The maximum size of the records as JSON text, in bytes. */
  readonly bytes: number
  /** The maximum number of active API keys. */
  readonly keys: number
  readonly endpoints: number
  readonly streams: number
}

/** The default quotas, large enough for development. The default number of bytes depends on the heap. */
export const DEFAULT_QUOTAS: Omit<SandboxQuotas, 'bytes'> = {
  objects: 1_000_000,
  keys: 1000,
  endpoints: 100,
  streams: 50,
}

/** The quotas on stored data. The quota of streams has its own error. */
type StoredQuota = Exclude<keyof SandboxQuotas, 'streams'>

/** The name of each quota in messages, the flag of `serve` that raises the quota, and another remedy or null. */
const TERMS: Readonly<Record<StoredQuota, readonly [unit: string, flag: string, relief: string | null]>> = {
  objects: ['objects, events and other records', '--max-sandbox-objects', null],
  bytes: ['megabytes', '--max-sandbox-mb', null],
  keys: ['active API keys', '--max-sandbox-keys', 'Revoke one: DELETE /v1/api_keys/:id.'],
  endpoints: [
    'webhook endpoints',
    '--max-sandbox-endpoints',
    'Delete one: DELETE /v1/webhook_endpoints/:id.',
  ],
}

const RESET = 'Reset it with POST /v1/sandboxes/current/reset, delete it with a key of the default sandbox,'
/** The number of bytes of a megabyte in limits and messages. */
export const MEGABYTE = 1024 * 1024

/** Throws when `used`, the usage of a quota by a sandbox, has reached the limit. */
export function requireQuotaLeft(quota: StoredQuota, used: number, limit: number): void {
  if (used < limit) return
  const [unit, flag, relief] = TERMS[quota]
  const format = (value: number) =>
    (quota === 'bytes' ? Math.ceil(value / MEGABYTE) : value).toLocaleString('en')
  const action = relief === null ? `${RESET} or raise` : `${relief} Or raise`
  throw new DomainError(
    'sandbox_quota_exceeded',
    `The sandbox is full: it has ${format(used)} ${unit}, and the limit is ${format(limit)}. ${action} ${flag} of the server.`,
    { skipMasking: true },
  )
}

/** Returns the error of a server that cannot store more data. */
export function createServerFullError(reason: string): DomainError {
  return new DomainError(
    'server_full',
    `The server is full: ${reason}. Reading, deleting and resetting still work. Delete or reset sandboxes, or start the server with more memory, such as NODE_OPTIONS=--max-old-space-size=8192.`,
    { skipMasking: true, retryAfterSeconds: 5 },
  )
}

/** Returns the error of a sandbox that does not fit into the memory of the server. */
export function createSandboxTooLargeError(id: string, bytes: number): DomainError {
  const megabytes = Math.ceil(bytes / MEGABYTE).toLocaleString('en')
  return new DomainError(
    'server_full',
    `Cannot open sandbox '${id}': its files have ${megabytes} MB, and the free memory of the server is too small. With a key of the default sandbox, reset it (POST /v1/sandboxes/${id}/reset with "to": "empty") or delete it (DELETE /v1/sandboxes/${id}), or start the server with more memory, such as NODE_OPTIONS=--max-old-space-size=8192.`,
    { skipMasking: true, retryAfterSeconds: 5 },
  )
}

/** Returns the error of a request whose sandbox cannot be opened because too many other sandboxes are in use. */
export function createOpenSandboxLimitError(limit: number): DomainError {
  return new DomainError(
    'sandboxes_busy',
    `The server has ${limit} other sandboxes in use, which is the limit of open sandboxes. Try again in a moment, or raise --max-open-sandboxes of the server.`,
    { retryAfterSeconds: 1 },
  )
}
