import type { Sharing } from '../store/port/store.ts'

const LEASE_SECONDS = 10
const LEASE_MS = LEASE_SECONDS * 1000
/** How long it waits before it asks again for what another process has. */
const PATIENCE_MS = 500
/** How long a process that is gone without a word still counts. */
const ATTENDANCE_SECONDS = 10
const ATTENDANCE_MS = 2000

/** What one of several processes at a store does for all; a process that is alone has everything. */
export interface Claims {
  /**
   * Asks for its share of these names, keeps those it has had, and gives back all others, once they are not busy any more;
   * seldom asks the store.
   */
  readonly want: (names: readonly string[], isBusy?: (name: string) => boolean) => Promise<void>
  /** Whether a name is this process's now. */
  readonly has: (name: string) => boolean
}

export interface ClaimsOptions {
  /** What the names begin with at the store. */
  readonly prefix: string
  readonly monotonicMs: () => number
  /** Whether only this process wants a name, so that it is no part of a share; none is unless given. */
  readonly isOwn?: (name: string) => boolean
}

/** Claims at a store, so that its processes have about as many each; without sharing those of a process that is alone. */
export function createClaims(sharing: Sharing | undefined, options: ClaimsOptions): Claims {
  if (sharing === undefined) return { want: async () => {}, has: () => true }
  const { prefix, monotonicMs, isOwn = () => false } = options
  /** Until when each name is this process's. */
  const held = new Map<string, number>()
  /** When it asked for each name, whether it got it or not. */
  const asked = new Map<string, number>()
  /** What it has let go of and may still be busy with, and until when it has that. */
  const leaving = new Map<string, number>()
  let lastWant: Promise<void> = Promise.resolve()
  const processes = createHeadcount(sharing, monotonicMs)

  async function ask(names: readonly string[], most: number): Promise<void> {
    const now = monotonicMs()
    const wanted = names.map((name) => prefix + name)
    const taken = new Set(await sharing?.take(wanted, LEASE_SECONDS, most))
    for (const name of names) {
      if (taken.has(prefix + name)) held.set(name, now + LEASE_MS)
      else held.delete(name)
      leaving.delete(name)
    }
  }

  function letGo(names: readonly string[]): void {
    for (const name of names) {
      leaving.set(name, held.get(name) ?? 0)
      held.delete(name)
    }
  }

  // Only when what is begun has ended may another process begin.
  async function giveBack(isBusy: (name: string) => boolean): Promise<void> {
    const now = monotonicMs()
    const idle = [...leaving.keys()].filter((name) => !isBusy(name))
    for (const name of idle) leaving.delete(name)
    if (idle.length > 0) await sharing?.release(idle.map((name) => prefix + name))
    const ending = [...leaving].filter(([, until]) => until < now + LEASE_MS / 2).map(([name]) => name)
    if (ending.length > 0) {
      await sharing?.take(
        ending.map((name) => prefix + name),
        LEASE_SECONDS,
      )
    }
    for (const name of ending) leaving.set(name, now + LEASE_MS)
  }

  function isDue(name: string): boolean {
    const now = monotonicMs()
    const isAsked = now < (asked.get(name) ?? Number.NEGATIVE_INFINITY) + PATIENCE_MS
    return !isAsked && (held.get(name) ?? 0) < now + LEASE_MS / 2
  }

  /** Asks for as many of the names as it may have; others are asked for only where there is room. */
  async function askFor(names: readonly string[], share: number): Promise<void> {
    const had = names.filter((name) => held.has(name))
    const kept = had.slice(0, share)
    letGo(had.slice(share))
    const isFull = kept.length === share
    const due = (isFull ? kept : names).filter(isDue)
    // Whoever asks meanwhile need not ask the same.
    for (const name of due) asked.set(name, monotonicMs())
    const others = kept.filter((name) => !due.includes(name)).length
    if (due.length > 0) await ask(due, share - Math.min(share, others))
  }

  async function settle(names: readonly string[], isBusy: (name: string) => boolean): Promise<void> {
    const wanted = new Set(names)
    for (const name of asked.keys()) if (!wanted.has(name)) asked.delete(name)
    letGo([...held.keys()].filter((name) => !wanted.has(name)))
    const own = names.filter(isOwn)
    const common = names.filter((name) => !isOwn(name))
    // Also who wants nothing is there.
    const share = Math.ceil(common.length / (await processes()))
    if (own.length > 0) await askFor(own, own.length)
    if (common.length > 0) await askFor(common, share)
    await giveBack(isBusy)
  }

  return {
    // One at a time: an answer must not give back what was let go of meanwhile.
    want(names, isBusy = () => false) {
      const settled = lastWant.then(() => settle(names, isBusy))
      lastWant = settled.catch(() => {})
      return settled
    },
    has: (name) => (held.get(name) ?? 0) > monotonicMs(),
  }
}

/** Counts the processes at a store, this one included, and has it counted; asks every two seconds at the most. */
function createHeadcount(sharing: Sharing, monotonicMs: () => number): () => Promise<number> {
  let processes = 1
  let countedMs = Number.NEGATIVE_INFINITY
  return async () => {
    const now = monotonicMs()
    if (now < countedMs + ATTENDANCE_MS) return processes
    countedMs = now
    processes = Math.max(1, await sharing.attend(ATTENDANCE_SECONDS))
    return processes
  }
}
