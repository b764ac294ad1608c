import type { Sharing } from '../store/port/store.ts'

/**
 * As long as an endpoint waits for a listener that went without a word: an outage of the store that keeps this process
 * from announcing must not look to others as if its listeners had gone.
 */
const PRESENCE_SECONDS = 300
const RENEWAL_MS = 10_000

/** Which endpoints have a listener at this process, and which at others at the same store. */
export interface Presence {
  /**
   * Tells the others of these endpoints; seldom asks the store. One that is not among them any more still counts for a
   * while: its listener may only be on its way back.
   */
  readonly keep: (endpoints: readonly string[]) => Promise<void>
  /** Tells the others that the listeners of these endpoints have left for good. */
  readonly leave: (endpoints: readonly string[]) => Promise<void>
  /** Those of these endpoints that have no listener at another process. */
  readonly withoutOthers: (endpoints: readonly string[]) => Promise<readonly string[]>
}

/** The presence of listeners at a store; without sharing there are no others. */
export function createPresence(
  sharing: Sharing | undefined,
  { monotonicMs }: { readonly monotonicMs: () => number },
): Presence {
  if (sharing === undefined) {
    return { keep: async () => {}, leave: async () => {}, withoutOthers: async (endpoints) => endpoints }
  }
  let told: ReadonlySet<string> = new Set()
  let toldMs = Number.NEGATIVE_INFINITY

  return {
    async keep(endpoints) {
      const now = monotonicMs()
      if (endpoints.every((id) => told.has(id)) && now < toldMs + RENEWAL_MS) return
      await sharing.announce(endpoints, PRESENCE_SECONDS)
      // What was not stored is told again at once.
      toldMs = now
      told = new Set(endpoints)
    },
    async leave(endpoints) {
      told = new Set([...told].filter((id) => !endpoints.includes(id)))
      await sharing.announce(endpoints, 0)
    },
    async withoutOthers(endpoints) {
      if (endpoints.length === 0) return []
      const elsewhere = new Set(await sharing.announcedElsewhere(endpoints))
      return endpoints.filter((id) => !elsewhere.has(id))
    },
  }
}
