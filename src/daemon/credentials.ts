import { join } from 'node:path'
import { digestApiKey } from '../api/core/auth.ts'
import { StartupError } from '../domain/core/startup-error.ts'
import type { Runtime } from '../engine/runtime.ts'
import { registerApiKey, revokeStaleStartupKeys } from '../engine/sandbox-credentials.ts'
import { readJson, writeJson } from './private-json.ts'
import type { IdGenerators } from './system/ids.ts'

/** The secrets of the daemons of a home folder, which persist across restarts. */
export interface Credentials {
  readonly api_key: string
  /** The secret that signs deliveries to `--forward-to` targets and listeners. */
  readonly webhook_secret: string
}

/** Reads the credentials file of the home folder, mode 0600, and generates missing secrets. */
export async function ensureCredentials(home: string, ids: IdGenerators): Promise<Credentials> {
  const stored = (await readJson(fileIn(home))) ?? {}
  const credentials = {
    api_key: typeof stored.api_key === 'string' ? stored.api_key : ids.newApiKey(),
    webhook_secret:
      typeof stored.webhook_secret === 'string' ? stored.webhook_secret : ids.newWebhookSecret(),
  }
  if (stored.api_key !== credentials.api_key || stored.webhook_secret !== credentials.webhook_secret) {
    await writeJson(fileIn(home), credentials, ids.newToken)
  }
  return credentials
}

export interface EnsureApiKeyOptions {
  readonly home: string
  /** The key from --api-key, which the server uses instead of the key of the home folder. */
  readonly flagKey: string | undefined
  readonly credentials: Credentials
  readonly ids: Pick<IdGenerators, 'newApiKey' | 'newToken'>
  /** Whether other machines can reach the server. */
  readonly isExposed: boolean
}

/**
 * Returns a valid API key: the key from --api-key, or the key of the home folder. A revoked key of the home folder is
 * replaced. Throws a StartupError when the key from --api-key is revoked or expired.
 */
export async function ensureApiKey(
  runtime: Pick<Runtime, 'store' | 'newId' | 'wallNow'>,
  { home, flagKey, credentials, ids, isExposed }: EnsureApiKeyOptions,
): Promise<string> {
  const admit = (secret: string) => registerApiKey(runtime, { secret, digest: digestApiKey(secret) })
  const secret = flagKey ?? credentials.api_key
  // Keys from --api-key of earlier runs may be as short as 'test', which is safe only while no other machine has access.
  // In a shared database, keys from --api-key may belong to other servers, and `serve` rejects short keys.
  if (isExposed && runtime.store.coordinator === undefined) {
    await revokeStaleStartupKeys(runtime.store, [secret, credentials.api_key].map(digestApiKey))
  }
  // The key of the home folder stays valid beside the key from --api-key, unless it is revoked.
  if (flagKey !== undefined) await admit(credentials.api_key)
  if (await admit(secret)) return secret
  if (flagKey !== undefined) {
    throw new StartupError(
      'api_key_refused',
      'Cannot use the key from --api-key: it is revoked or expired in this database. Give another key, or omit the flag.',
    )
  }
  const replaced = { ...credentials, api_key: ids.newApiKey() }
  await writeJson(fileIn(home), replaced, ids.newToken)
  await admit(replaced.api_key)
  return replaced.api_key
}

function fileIn(home: string): string {
  return join(home, 'credentials.json')
}
