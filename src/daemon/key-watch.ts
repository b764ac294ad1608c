import { isOpenKey } from '../domain/api-keys.ts'
import type { Runtime } from '../engine/runtime.ts'
import type { StreamHub } from './stream-hub.ts'

/**
 * Makes what ends the streams whose key was revoked or expired since they were opened, maybe through another process.
 * Call it as often as you like, it looks once a second; it rejects, and ends nothing, while the store does not answer.
 */
export function createKeyWatch(
  { store, wallNow }: Pick<Runtime, 'store' | 'wallNow'>,
  hub: Pick<StreamHub, 'keys' | 'endKey'>,
): () => Promise<void> {
  let lookedAt: number | null = null
  return async () => {
    const now = wallNow()
    if (now === lookedAt) return
    const ids = hub.keys()
    const keys = await Promise.all(ids.map((id) => store.get('api_keys', id)))
    lookedAt = now
    for (const [index, id] of ids.entries()) {
      const key = keys[index] ?? null
      if (key === null || !isOpenKey(key, now)) hub.endKey(id)
    }
  }
}
