import { isOpenKey } from '../domain/api-keys.ts'
import type { Runtime } from '../engine/runtime.ts'
import type { StreamHub } from './stream-hub.ts'

/**
 * Creates a function that closes the streams of keys that were revoked, rolled or expired since they were opened, also by
 * another process. Call it after each commit and from time to time; it rejects, and closes nothing, while the store does
 * not answer. Calls while a look is under way share the next one, which sees all that was committed before them.
 */
export function createKeyWatch(
  { store, wallNow }: Pick<Runtime, 'store' | 'wallNow'>,
  hub: Pick<StreamHub, 'keys' | 'endKey'>,
): () => Promise<void> {
  let running: Promise<void> | null = null
  let next: Promise<void> | null = null

  async function look(): Promise<void> {
    const ids = hub.keys()
    const keys = await Promise.all(ids.map((id) => store.get('api_keys', id)))
    const now = wallNow()
    for (const [index, id] of ids.entries()) {
      const key = keys[index] ?? null
      if (key === null || !isOpenKey(key, now)) hub.endKey(id)
    }
  }

  function start(): Promise<void> {
    next = null
    const own = look().finally(() => {
      if (running === own) running = null
    })
    running = own
    return own
  }

  return () => {
    if (running === null) return start()
    next ??= running.then(start, start)
    return next
  }
}
