import type { ApiKey } from '../../domain/sandboxes/api-keys.ts'

const MAX_CACHED_KEYS = 100

/**
 * Caches API keys, because every request reads its key. Works only while `isAlone` returns true: another process could
 * revoke a key, and a revocation must take effect immediately.
 */
export function createApiKeyCache(read: (id: string) => Promise<ApiKey | null>, isAlone: () => boolean) {
  const cached = new Map<string, ApiKey>()
  let changes = 0

  return {
    async get(id: string): Promise<ApiKey | null> {
      const known = isAlone() ? cached.get(id) : undefined
      if (known !== undefined) return known
      const changesBefore = changes
      const key = await read(id)
      if (key !== null && changesBefore === changes && isAlone()) {
        if (cached.size === MAX_CACHED_KEYS) cached.clear()
        cached.set(id, key)
      }
      return key
    },
    /** Clears the cache; call it after every commit of an API key, and after each change by another process. */
    clear(): void {
      changes += 1
      cached.clear()
    },
  }
}
