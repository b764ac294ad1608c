import { isUsableKey } from '../../domain/api-keys.ts'
import type { Runtime } from '../../engine/runtime.ts'
import type { StreamHub } from '../streams/stream-hub.ts'
import { createSerialRunner } from '../system/ticker.ts'

/** Returns the reason to close the streams of an API key, or null while it is valid. A missing key means a deleted sandbox. */
export async function findKeyEnd(
  { store, wallNow }: Pick<Runtime, 'store' | 'wallNow'>,
  id: string,
): Promise<'key_ended' | 'stopping' | null> {
  const key = await store.get('api_keys', id)
  if (key === null) return 'stopping'
  return isUsableKey(key, wallNow()) ? null : 'key_ended'
}

/**
 * Creates a function that closes the streams of API keys that are revoked, rolled, expired or deleted with their sandbox,
 * also by another process. Call it after each commit and on each tick. It rejects and closes nothing while the store is
 * unavailable. Calls during a check share the next check, which sees every commit made before them.
 */
export function createKeyWatch(
  runtime: Pick<Runtime, 'store' | 'wallNow'>,
  hub: Pick<StreamHub, 'openKeys' | 'closeKeyStreams'>,
): () => Promise<void> {
  async function check(): Promise<void> {
    const ids = hub.openKeys()
    const ends = await Promise.all(ids.map((id) => findKeyEnd(runtime, id)))
    for (const [index, id] of ids.entries()) {
      const end = ends[index] ?? null
      if (end !== null) hub.closeKeyStreams(id, end)
    }
  }

  return createSerialRunner(check).run
}
