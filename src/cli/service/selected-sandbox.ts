import type { ServerConnection } from '../../client/server-connection.ts'
import { getKeySandboxId } from '../../domain/sandboxes/api-keys.ts'
import { DEFAULT_SANDBOX } from '../../domain/sandboxes/sandboxes.ts'
import { findStoredSandbox } from './sandbox-keys.ts'

/**
 * Returns the sandbox that the API key of a connection belongs to, or null for the default sandbox. Without a stored
 * key, only the id of the sandbox is known.
 */
export function findSelectedSandbox({ apiBase, apiKey }: ServerConnection, env: NodeJS.ProcessEnv) {
  const id = apiKey === undefined ? DEFAULT_SANDBOX : getKeySandboxId(apiKey)
  if (id === DEFAULT_SANDBOX) return null
  const stored = findStoredSandbox(env, apiBase, id)
  if (stored !== undefined) return stored
  // `exec --sandbox` sets the API key, the webhook secret and the checkout URL together.
  const { PAYCLI_WEBHOOK_SECRET, PAYCLI_CHECKOUT_URL } = apiKey === env['PAYCLI_API_KEY'] ? env : {}
  return {
    ...{ id, name: null },
    webhook_secret: PAYCLI_WEBHOOK_SECRET || null,
    checkout_url: PAYCLI_CHECKOUT_URL || null,
  }
}
