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
 * Creates a function that closes streams whose API key was revoked, rolled, expired or deleted with its sandbox, or
 * whose dashboard session was signed out or expired. The function also detects changes by other processes. Call it
 * after each commit and on each tick. While the store is unavailable, it rejects, and streams stay open. Calls during a
 * check share the next check, which sees every commit made before them.
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
