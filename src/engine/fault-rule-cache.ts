import { countAndSelectFault, type FaultTarget } from '../domain/faults/fault-matching.ts'
import { type Fault, type FaultKind, getFaultKind } from '../domain/faults/faults.ts'
import type { Store, StoreReader } from '../store/port/store.ts'
import { loadMatching } from './load-related.ts'

/** The cached fault rules of a sandbox. */
export type FaultRuleCache = ReturnType<typeof createFaultRuleCache>

/** Creates the cache of the fault rules of a store, which reads the rules when they are first needed. */
export function createFaultRuleCache(store: Store, wallNow: () => number) {
  /** The kinds of faults that have a rule; null until the rules are read. */
  let kinds: ReadonlySet<FaultKind> | null = null

  let firstRead: Promise<void> | null = null
  let lastRead: Promise<void> = Promise.resolve()

  /** Reads the rules again; called after a change, and regularly if several processes share the store. */
  function refresh(): Promise<void> {
    // Reads run one after the other, so that a slow earlier read cannot replace the result of a later read.
    lastRead = lastRead.catch(() => {}).then(readKinds)
    return lastRead
  }

  async function readKinds(): Promise<void> {
    try {
      kinds = kindsOf(await loadFaults(store))
    } catch (error) {
      // The rules may have changed, so read the rules again when they are next needed.
      kinds = null
      throw error
    }
  }

  return {
    /** Returns whether a rule of a kind may exist. Does not read the store, so that requests are fast without rules. */
    has: (kind: FaultKind) => kinds === null || kinds.has(kind),
    /** Loads all rules in a transaction, oldest first. */
    async load(reader: StoreReader): Promise<readonly Fault[]> {
      const faults = await loadFaults(reader)
      // `refresh` may have read later changes of the rules, which must not be overwritten here.
      kinds ??= kindsOf(faults)
      return faults
    },
    /** Counts a match in a separate transaction, and resolves with the fault that applies, or null. */
    async select(target: FaultTarget): Promise<Fault | null> {
      if (kinds === null) {
        // Concurrent first requests share one query.
        firstRead ??= refresh().finally(() => {
          firstRead = null
        })
        await firstRead
      }
      if (!kinds?.has(target.kind)) return null
      const { result } = await store.transact(async (reader) => {
        const { fault, changes } = countAndSelectFault(await loadFaults(reader), target, wallNow())
        return { result: fault, writes: changes.map(({ after }) => ({ put: after })), events: [] }
      })
      return result
    },
    refresh,
  }
}

function kindsOf(faults: readonly Fault[]): ReadonlySet<FaultKind> {
  return new Set(faults.map(({ type }) => getFaultKind(type)))
}

/** Loads all fault rules, oldest first. */
export function loadFaults(reader: StoreReader): Promise<readonly Fault[]> {
  return loadMatching(reader, 'faults', {})
}
