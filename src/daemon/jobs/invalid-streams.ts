import { isUsableKey } from '../../domain/sandboxes/api-keys.ts'
import type { Runtime } from '../../engine/runtime.ts'
import type { StreamCredential } from '../streams/stream-connection.ts'
import type { StreamHub } from '../streams/stream-hub.ts'
import { createSerialRunner } from '../system/task-scheduling.ts'

/** Returns the credential of an API key. A missing API key means that its sandbox was deleted. */
export function createApiKeyCredential(
  { store, wallNow }: Pick<Runtime, 'store' | 'wallNow'>,
  id: string,
): StreamCredential {
  return {
    id,
    async findEnd() {
      const key = await store.get('api_keys', id)
      if (key === null) return 'stopping'
      return isUsableKey(key, wallNow()) ? null : 'key_ended'
    },
  }
}

/**
 * Creates a function that closes the streams of invalid API keys and dashboard sessions. A key may be revoked, rolled,
 * expired or deleted with its sandbox; a session may be signed out or expired. The function also detects changes by
 * other processes. Call the function after each commit and on each tick. While the store is unavailable, the function
 * rejects, and streams stay open. Calls during a check share the next check, which sees every earlier commit.
 */
export function createInvalidStreamCloser(
  hub: Pick<StreamHub, 'openCredentials' | 'closeStreamsOf'>,
): () => Promise<void> {
  async function check(): Promise<void> {
    const credentials = hub.openCredentials()
    const ends = await Promise.all(credentials.map(({ findEnd }) => findEnd()))
    for (const [index, { id }] of credentials.entries()) {
      const end = ends[index] ?? null
      if (end !== null) hub.closeStreamsOf(id, end)
    }
  }

  return createSerialRunner(check).run
}
