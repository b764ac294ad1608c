import { ApiError } from '../../client/api-error.ts'
import { createClient } from '../../client/client.ts'
import { ConnectionError } from '../../client/connection-error.ts'
import { createSandbox, type SandboxHandle } from '../../client/create-sandbox.ts'
import type { ServerConnection } from '../../client/server-connection.ts'
import { AnnotatedError } from '../errors/annotated-error.ts'
import { type CleanupWatchdog, startCleanupWatchdog } from '../service/cleanup-watchdog.ts'

export interface TemporarySandboxOptions {
  readonly name: string
  /** The sandbox or saved state to copy (default: an empty sandbox). */
  readonly from?: string | undefined
  /** The time of this machine in Unix seconds. */
  readonly now: number
  /** The lifetime of a sandbox that was not deleted, for example because this process was killed. */
  readonly lifetimeSeconds: number
  /** The hint when there is no running server. */
  readonly missingServerHint: string
}

/** Creates an expiring sandbox on the running server, in memory if the server supports it. */
export async function createTemporarySandbox(
  config: ServerConnection,
  { name, from, now, lifetimeSeconds, missingServerHint: hint }: TemporarySandboxOptions,
): Promise<SandboxHandle> {
  const options = { ...config, name, from }
  try {
    return await createSandbox({ ...options, storage: 'memory', expiresAt: now + lifetimeSeconds })
  } catch (error) {
    const rejected = rejectedParams(error)
    const isTimeRejected = rejected.includes('expires_at')
    if (!isTimeRejected && !rejected.includes('storage')) throw explainMissingServer(error, hint)
    // Servers that share a PostgreSQL database have only durable sandboxes.
    const storage = rejected.includes('storage') ? undefined : 'memory'
    // The clock of the server may differ, for instance with --freeze-time. Always reading the server's time first would
    // delay the command.
    const serverNow = isTimeRejected ? await createClient(config).now() : now
    return createSandbox({ ...options, storage, expiresAt: serverNow + lifetimeSeconds })
  }
}

function rejectedParams(error: unknown): (string | null)[] {
  if (!(error instanceof ApiError)) return []
  const { param, errors } = error.error
  return [param, ...errors.map((one) => one.param)]
}

function explainMissingServer(error: unknown, hint: string): unknown {
  if (!(error instanceof ConnectionError) || error.code !== 'connection_refused') return error
  return new AnnotatedError(error, { hint })
}

/** Environment variables that clear the profile and the sandbox, because the address and the key select the sandbox. */
export const CLEARED_SELECTION_ENV = { PAYCLI_PROFILE: '', PAYCLI_SANDBOX: '' }

/** Starts a guard that deletes the sandboxes whose paths are passed to `setObjects`. */
export function startSandboxWatchdog(
  { apiBase, apiKey = '', readServerSecret }: ServerConnection,
  env: NodeJS.ProcessEnv,
): CleanupWatchdog {
  const [, script = ''] = process.argv
  // Other users can read the arguments, so the arguments contain no key. The guard verifies the identity of a local
  // server, and then reads the key from the file of the server.
  const guardKey = readServerSecret === undefined ? apiKey : ''
  const guardEnv = { ...env, ...CLEARED_SELECTION_ENV, PAYCLI_API_BASE: apiBase, PAYCLI_API_KEY: guardKey }
  return startCleanupWatchdog([process.execPath, script, 'delete'], guardEnv)
}

/** Returns the API path with which a sandbox guard deletes a sandbox. */
export function getSandboxPath(id: string): string {
  return `/v1/sandboxes/${id}`
}
