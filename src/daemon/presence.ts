import type { Sharing } from '../store/store.ts'

const PRESENCE_SECONDS = 20
const RENEWAL_MS = (PRESENCE_SECONDS * 1000) / 2

/** Which endpoints have a listener at this process, and which at others at the same store. */
export interface Presence {
  /** Tells the others of these endpoints; seldom asks the store. */
  readonly keep: (endpoints: readonly string[]) => Promise<void>
  /** Those of these endpoints that have no listener at another process. */
  readonly withoutOthers: (endpoints: readonly string[]) => Promise<readonly string[]>
}

/** The presence of listeners at a store; without sharing there are no others. */
export function createPresence(
  sharing: Sharing | undefined,
  { monotonicMs }: { readonly monotonicMs: () => number },
): Presence {
  if (sharing === undefined) return { keep: async () => {}, withoutOthers: async (endpoints) => endpoints }
  let told: ReadonlySet<string> = new Set()
  let toldMs = Number.NEGATIVE_INFINITY

  return {
    async keep(endpoints) {
      const isKnown = endpoints.every((id) => told.has(id))
      if (isKnown && monotonicMs() < toldMs + RENEWAL_MS) return
      toldMs = monotonicMs()
      told = new Set(endpoints)
      if (endpoints.length > 0) await sharing.announce(endpoints, PRESENCE_SECONDS)
    },
    async withoutOthers(endpoints) {
      if (endpoints.length === 0) return []
      const elsewhere = new Set(await sharing.announcedElsewhere(endpoints))
      return endpoints.filter((id) => !elsewhere.has(id))
    },
  }
}
