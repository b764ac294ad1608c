import { toUpdate } from '../domain/core/changes.ts'
import { DomainError } from '../domain/core/domain-error.ts'
import type { ApiKey } from '../domain/sandboxes/api-keys.ts'
import type { Store } from '../store/port/store.ts'
import { commitRecordChanges } from './commit.ts'

/** Buffers the `last_used_at` timestamps of API keys. */
export type ApiKeyUsageBuffer = ReturnType<typeof createApiKeyUsageBuffer>

const SECONDS_PER_MINUTE = 60

/** Creates an `ApiKeyUsageBuffer`. Timestamps have minute precision, so each key is written at most once a minute. */
export function createApiKeyUsageBuffer(store: Store, wallNow: () => number) {
  const pending = new Map<string, number>()

  return {
    /** Records that a key was used now. */
    record({ id, last_used_at }: ApiKey): void {
      const now = wallNow()
      const minute = now - (now % SECONDS_PER_MINUTE)
      if ((last_used_at ?? 0) < minute) pending.set(id, minute)
    },
    /** Stores the buffered timestamps. If the store cannot write, the next call stores these timestamps. */
    async flush(): Promise<void> {
      if (pending.size === 0) return
      const uses = [...pending]
      pending.clear()
      try {
        await commitRecordChanges(store, async (reader) => {
          const keys = await Promise.all(uses.map(([id]) => reader.get('api_keys', id)))
          const changes = keys.flatMap((key, at) =>
            key === null ? [] : [toUpdate(null, key, { ...key, last_used_at: uses[at]?.[1] ?? null })],
          )
          return { changes, result: null }
        })
      } catch (error) {
        if (!(error instanceof DomainError)) throw error
        for (const [id, minute] of uses) pending.set(id, Math.max(minute, pending.get(id) ?? 0))
      }
    },
  }
}
