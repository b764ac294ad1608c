import type { ProcessCoordinator } from '../../store/port/store.ts'

const LEASE_SECONDS = 10
const LEASE_MS = LEASE_SECONDS * 1000
/** Interval between attempts to lease a name that another process holds. */
const RETRY_MS = 500
/** Time in seconds for which a crashed process is still counted. */
const PROCESS_TTL_SECONDS = 10
const PROCESS_COUNT_INTERVAL_MS = 2000

export interface LeasesOptions {
  /** Prefix of the names in the store. */
  readonly prefix: string
  readonly monotonicMs: () => number
  /** Returns whether only this process needs a name, which then does not count for its share (default: false). */
  readonly isOwn?: (name: string) => boolean
  /** Whether to lease every free name instead of a share, because other processes may not request these names. */
  readonly takesAll?: boolean
}

/** Creates the leases of this process, which distribute names evenly among the processes of a store. */
export function createLeases(coordinator: ProcessCoordinator, options: LeasesOptions) {
  const { prefix, monotonicMs, isOwn = () => false, takesAll = false } = options
  /** Expiry of each held name in monotonic milliseconds. */
  const held = new Map<string, number>()
  /** Time of the last attempt to lease each name, successful or not. */
  const attempted = new Map<string, number>()
  /** Names to release once they are idle, with their expiry. */
  const releasing = new Map<string, number>()
  let lastAcquire: Promise<void> = Promise.resolve()
  const countProcesses = takesAll ? async () => 1 : createProcessCount(coordinator, monotonicMs)

  async function lease(names: readonly string[], limit: number): Promise<void> {
    // The lease time starts before the query, so that the lease never expires later in this process than in the store.
    const now = monotonicMs()
    const wanted = names.map((name) => prefix + name)
    const leased = new Set(await coordinator.acquireLeases(wanted, LEASE_SECONDS, limit))
    for (const name of names) {
      if (leased.has(prefix + name)) held.set(name, now + LEASE_MS)
      else held.delete(name)
      releasing.delete(name)
    }
  }

  function startRelease(names: readonly string[]): void {
    for (const name of names) {
      releasing.set(name, held.get(name) ?? 0)
      held.delete(name)
    }
  }

  // A busy name keeps its lease, so that no other process starts work on the name before this process has finished.
  async function releaseIdle(isBusy: (name: string) => boolean): Promise<void> {
    const now = monotonicMs()
    const idle = [...releasing.keys()].filter((name) => !isBusy(name))
    for (const name of idle) releasing.delete(name)
    if (idle.length > 0) await coordinator.releaseLeases(idle.map((name) => prefix + name))
    const expiring = [...releasing].filter(([, until]) => until < now + LEASE_MS / 2).map(([name]) => name)
    const renewed = expiring.map((name) => prefix + name)
    if (renewed.length > 0) await coordinator.acquireLeases(renewed, LEASE_SECONDS)
    for (const name of expiring) releasing.set(name, now + LEASE_MS)
  }

  function isDue(name: string): boolean {
    const now = monotonicMs()
    const isRecent = now < (attempted.get(name) ?? Number.NEGATIVE_INFINITY) + RETRY_MS
    return !isRecent && (held.get(name) ?? 0) < now + LEASE_MS / 2
  }

  /** Renews due leases of held names, and leases further names only up to the share. */
  async function acquireShare(names: readonly string[], share: number): Promise<void> {
    const holding = names.filter((name) => held.has(name))
    const kept = holding.slice(0, share)
    startRelease(holding.slice(share))
    const isFull = kept.length === share
    const due = (isFull ? kept : names).filter(isDue)
    for (const name of due) attempted.set(name, monotonicMs())
    const notDue = kept.filter((name) => !due.includes(name)).length
    if (due.length > 0) await lease(due, share - Math.min(share, notDue))
  }

  async function acquireAll(names: readonly string[], isBusy: (name: string) => boolean): Promise<void> {
    const wanted = new Set(names)
    for (const name of attempted.keys()) if (!wanted.has(name)) attempted.delete(name)
    startRelease([...held.keys()].filter((name) => !wanted.has(name)))
    const own = names.filter(isOwn)
    const common = names.filter((name) => !isOwn(name))
    // Count the processes even without names, because the count is also the heartbeat of this process.
    const share = Math.ceil(common.length / (await countProcesses()))
    if (own.length > 0) await acquireShare(own, own.length)
    if (common.length > 0) await acquireShare(common, share)
    await releaseIdle(isBusy)
  }

  return {
    /**
     * Leases this process's share of the names, prefers held names, and releases all other names once they are idle.
     * Most calls cause no query.
     */
    acquire(names: readonly string[], isBusy: (name: string) => boolean = () => false): Promise<void> {
      // Run one call at a time: a late query result must not restore a lease that another call has released.
      const acquired = lastAcquire.then(() => acquireAll(names, isBusy))
      lastAcquire = acquired.catch(() => {})
      return acquired
    },
    /** Returns whether this process currently holds a name. */
    holds: (name: string) => (held.get(name) ?? 0) > monotonicMs(),
  }
}

/** Creates a counter of the processes of a store, this process included; at most one query in two seconds. */
function createProcessCount(
  coordinator: ProcessCoordinator,
  monotonicMs: () => number,
): () => Promise<number> {
  let processes = 1
  let countedMs = Number.NEGATIVE_INFINITY
  return async () => {
    const now = monotonicMs()
    if (now < countedMs + PROCESS_COUNT_INTERVAL_MS) return processes
    countedMs = now
    processes = Math.max(1, await coordinator.heartbeat(PROCESS_TTL_SECONDS))
    return processes
  }
}
