import { isUsableKey } from '../../domain/api-keys.ts'
import type { Runtime } from '../../engine/runtime.ts'
import type { StreamHub } from '../streams/stream-hub.ts'
import { createSerialRunner } from '../system/ticker.ts'

/**
 * Creates a function that closes the streams of API keys that are revoked, rolled or expired, also by another process.
 * Call it after each commit and on each tick. It rejects and closes nothing while the store is unavailable. Calls during a
 * check share the next check, which sees every commit made before them.
 */
export function createKeyWatch(
  { store, wallNow }: Pick<Runtime, 'store' | 'wallNow'>,
  hub: Pick<StreamHub, 'openKeys' | 'closeKeyStreams'>,
): () => Promise<void> {
  async function check(): Promise<void> {
    const ids = hub.openKeys()
    const keys = await Promise.all(ids.map((id) => store.get('api_keys', id)))
    const now = wallNow()
    for (const [index, id] of ids.entries()) {
      const key = keys[index] ?? null
      if (key === null || !isUsableKey(key, now)) hub.closeKeyStreams(id)
    }
  }

  return createSerialRunner(check).run
}
