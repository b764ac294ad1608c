import type { Runtime } from '../../engine/runtime.ts'

/** Reads the fault rules again after changes by other processes that share the store. */
export interface FaultRefresh {
  /** Requires a refresh in the next round; call it after each change of the store. */
  readonly require: () => void
  /** Reads the rules if a change may concern them; call it in each round. Resolves with whether it read them. */
  readonly run: () => Promise<boolean>
}

/** Creates a refresh, which does nothing for a store that only this process can open. */
export function createFaultRefresh({ store, faults }: Pick<Runtime, 'store' | 'faults'>): FaultRefresh {
  let isRequired = false
  return {
    require() {
      isRequired = store.coordinator !== undefined
    },
    async run() {
      if (!isRequired) return false
      isRequired = false
      try {
        await faults.refresh()
      } catch (error) {
        isRequired = true
        throw error
      }
      return true
    },
  }
}
