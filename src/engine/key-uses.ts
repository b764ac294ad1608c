import type { ApiKey } from '../domain/api-keys.ts'
import { DomainError } from '../domain/domain-error.ts'
import type { Store } from '../store/port/store.ts'

/** The memory of when keys were used. */
export interface KeyUses {
  /** Notes that a key was used now. */
  readonly note: (key: ApiKey) => void
  /** Keeps what was noted; while the disk is full it waits for a later time. */
  readonly flush: () => Promise<void>
}

const SECONDS_PER_MINUTE = 60

/** Remembers when keys were last used, to the minute: a key that opens thousands of requests is written once a minute. */
export function createKeyUses(store: Store, wallNow: () => number): KeyUses {
  const noted = new Map<string, number>()

  return {
    note({ id, last_used_at }) {
      const now = wallNow()
      const minute = now - (now % SECONDS_PER_MINUTE)
      if ((last_used_at ?? 0) < minute) noted.set(id, minute)
    },
    async flush() {
      if (noted.size === 0) return
      const uses = [...noted]
      noted.clear()
      try {
        await store.transact(async (reader) => {
          const keys = await Promise.all(uses.map(([id]) => reader.get('api_keys', id)))
          const writes = keys.flatMap((key, at) =>
            key === null ? [] : [{ put: { ...key, last_used_at: uses[at]?.[1] ?? null } }],
          )
          return { result: null, writes, events: [] }
        })
      } catch (error) {
        if (!(error instanceof DomainError)) throw error
        for (const [id, minute] of uses) noted.set(id, Math.max(minute, noted.get(id) ?? 0))
      }
    },
  }
}
