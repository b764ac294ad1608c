import type { Sharing } from '../store/store.ts'

const LEASE_SECONDS = 10
const LEASE_MS = LEASE_SECONDS * 1000
/** How long it waits before it asks again for what another process has. */
const PATIENCE_MS = 500

/** What one of several processes at a store does for all; a process that is alone has everything. */
export interface Claims {
  /** Asks for these names, keeps those it has had, and gives back all others; seldom asks the store. */
  readonly want: (names: readonly string[]) => Promise<void>
  /** Whether a name is this process's now. */
  readonly has: (name: string) => boolean
}

/** Claims that begin with `prefix` at a store, or without sharing those of a process that is alone. */
export function createClaims(
  sharing: Sharing | undefined,
  { prefix, monotonicMs }: { readonly prefix: string; readonly monotonicMs: () => number },
): Claims {
  if (sharing === undefined) return { want: async () => {}, has: () => true }
  /** Until when each name is this process's, or, of those it did not get, when it asked. */
  const held = new Map<string, number>()
  const asked = new Map<string, number>()

  async function ask(names: readonly string[]): Promise<void> {
    const now = monotonicMs()
    // Whoever asks meanwhile need not ask the same.
    for (const name of names) asked.set(name, now)
    const taken = new Set(
      await sharing?.take(
        names.map((name) => prefix + name),
        LEASE_SECONDS,
      ),
    )
    for (const name of names) {
      if (taken.has(prefix + name)) held.set(name, now + LEASE_MS)
      else held.delete(name)
    }
  }

  async function giveBack(names: readonly string[]): Promise<void> {
    for (const name of names) held.delete(name)
    if (names.length > 0) await sharing?.release(names.map((name) => prefix + name))
  }

  return {
    async want(names) {
      const now = monotonicMs()
      const wanted = new Set(names)
      for (const name of asked.keys()) if (!wanted.has(name)) asked.delete(name)
      await giveBack([...held.keys()].filter((name) => !wanted.has(name)))
      const isDue = (name: string) =>
        now >= (asked.get(name) ?? Number.NEGATIVE_INFINITY) + PATIENCE_MS &&
        (held.get(name) ?? 0) < now + LEASE_MS / 2
      const due = names.filter(isDue)
      if (due.length > 0) await ask(due)
    },
    has: (name) => (held.get(name) ?? 0) > monotonicMs(),
  }
}
