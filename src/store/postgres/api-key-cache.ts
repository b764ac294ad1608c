import type { ApiKey } from '../../domain/api-keys.ts'
import { evictOldest } from '../../domain/evict-oldest.ts'

/** Limits how long a revoked key works when the notification of another process is lost. */
const MAX_AGE_MS = 1000
const MAX_KEYS = 1000

export interface ApiKeyCacheOptions {
  /** Whether `invalidate` follows every commit of API keys by another process. */
  readonly isListening: () => boolean
  readonly monotonicMs: () => number
}

/** Caches API keys for up to a second, because every request reads its key. */
export function createApiKeyCache(
  read: (id: string) => Promise<ApiKey | null>,
  { isListening, monotonicMs }: ApiKeyCacheOptions,
) {
  const cached = new Map<string, { readonly key: ApiKey; readonly readMs: number }>()
  let changes = 0

  return {
    async get(id: string): Promise<ApiKey | null> {
      const readMs = monotonicMs()
      const known = cached.get(id)
      if (known !== undefined && readMs - known.readMs < MAX_AGE_MS && isListening()) return known.key
      const changesBefore = changes
      const key = await read(id)
      if (key !== null && changesBefore === changes) cached.set(id, { key, readMs })
      evictOldest(cached, MAX_KEYS)
      return key
    },
    /** Call it after every commit of API keys, by this process or another. */
    invalidate(): void {
      changes += 1
      cached.clear()
    },
  }
}
