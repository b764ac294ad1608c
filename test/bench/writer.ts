import { createIdGenerators } from '../../src/daemon/system/ids.ts'
import type { RuleContext } from '../../src/domain/core/changes.ts'
import { openDatabase, storePairs } from './database.ts'
import { newCustomerWithEvent } from './records.ts'

/** Creates customers with their events without HTTP; a create counts when it is durable. */
export async function openWriter({ file }: { readonly file: string }) {
  const store = await openDatabase(file)
  const { newId } = createIdGenerators()
  let number = 0
  return {
    /** Returns durable creates per second at this concurrency. */
    async rate(atOnce: number, seconds: number): Promise<number> {
      const startedMs = performance.now()
      let count = 0
      const one = async () => {
        while (performance.now() - startedMs < seconds * 1000) {
          number += 1
          await storePairs(store, [newCustomerWithEvent(number, newId as RuleContext['newId'])])
          count += 1
        }
      }
      await Promise.all(Array.from({ length: atOnce }, one))
      return (count * 1000) / (performance.now() - startedMs)
    },
  }
}
