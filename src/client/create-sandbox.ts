/// <reference lib="esnext.disposable" preserve="true" />
import type { ResultOf } from '../api/core/operation.ts'
import type { sandboxes } from '../api/operations/sandboxes.ts'
import { ApiError } from './api-error.ts'
import { type Client, createClient } from './client.ts'
import type { CallableOperation } from './request.ts'
import { resolveServerConnection, type ServerConnection } from './server-connection.ts'

export interface CreateSandboxOptions extends Partial<ServerConnection> {
  /** Your own name for the sandbox. */
  readonly name?: string | undefined
  /** The sandbox or saved state to copy (default: an empty sandbox). The copy has disabled webhook endpoints. */
  readonly from?: string | undefined
  /** With `memory`, the sandbox is lost when the server stops (default: the storage of the server). */
  readonly storage?: 'memory' | 'durable' | undefined
  /** The time at which the sandbox expires, in Unix seconds (default: never). */
  readonly expiresAt?: number | undefined
}

/** A sandbox: an isolated environment of a server, with its own objects, events, keys, webhook endpoints and test clocks. */
export interface SandboxHandle extends AsyncDisposable {
  readonly id: string
  /** An API client with the API key of the sandbox. */
  readonly client: Client
  readonly apiBase: string
  readonly apiKey: string
  readonly webhookSecret: string
  /** The address of the hosted pages of the sandbox. */
  readonly checkoutUrl: string
  /**
   * Replaces the contents of the sandbox: `empty`, or `origin` for the copied contents (default: `origin` for a copy).
   */
  reset(to?: 'empty' | 'origin'): Promise<void>
  /** Deletes the sandbox. Further calls do nothing. */
  delete(): Promise<void>
}

const CREATE: CallableOperation = { method: 'POST', path: '/v1/sandboxes' }
const RESET: CallableOperation = { method: 'POST', path: '/v1/sandboxes/current/reset' }
const DELETE: CallableOperation = { method: 'DELETE', path: '/v1/sandboxes/:id' }

/**
 * Creates a sandbox on the server of `PAYCLI_API_BASE`, else on the local server. Delete the sandbox with `delete()`,
 * or use `await using`. Throws `ApiError` for a key that may not create sandboxes, and `ConnectionError` without a
 * server.
 */
export async function createSandbox(options: CreateSandboxOptions = {}): Promise<SandboxHandle> {
  const { name, from, storage, expiresAt, ...given } = options
  const found = resolveServerConnection()
  const apiBase = given.apiBase ?? found.apiBase
  const apiKey = given.apiKey ?? (apiBase === found.apiBase ? found.apiKey : undefined)
  const readServerSecret =
    given.readServerSecret ??
    (options.apiBase === undefined || (given.apiKey === undefined && apiKey !== undefined)
      ? found.readServerSecret
      : undefined)
  const owner = createClient({ apiBase, apiKey, readServerSecret })
  const params = { name, from, storage, expires_at: expiresAt }
  const created = (await owner.send(CREATE, params)) as ResultOf<typeof sandboxes.create>
  const client = createClient({ apiBase, apiKey: created.api_key, readServerSecret })
  let isDeleted = false
  const deleteOnce = async () => {
    if (!isDeleted) await deleteSandbox(owner, created.id)
    isDeleted = true
  }
  return {
    ...{ id: created.id, client, apiBase, apiKey: created.api_key },
    ...{ webhookSecret: created.webhook_secret, checkoutUrl: created.checkout_url },
    async reset(to) {
      await client.send(RESET, { to })
    },
    delete: deleteOnce,
    [Symbol.asyncDispose]: deleteOnce,
  }
}

async function deleteSandbox(owner: Client, id: string): Promise<void> {
  try {
    await owner.send(DELETE, { id })
  } catch (error) {
    // Ignore a 404, because another process may have deleted the sandbox.
    if (!(error instanceof ApiError) || error.status !== 404) throw error
  }
}
