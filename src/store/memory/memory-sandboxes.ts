import type { Database, SandboxPlace } from '../port/database.ts'
import type { Store, StoreContents } from '../port/store.ts'
import { createMemoryStore } from './memory-store.ts'
import { Records } from './records.ts'

/** Creates the part of a database that keeps sandboxes in memory, where they stay until they are deleted. */
export function createMemorySandboxes(): Pick<Database, 'openSandbox' | 'writeSandbox' | 'deleteSandbox'> {
  const kept = new Map<string, Records>()
  return {
    async openSandbox({ id }: SandboxPlace): Promise<Store> {
      const records = kept.get(id) ?? new Records()
      kept.set(id, records)
      return createMemoryStore(records)
    },
    async writeSandbox({ id }: SandboxPlace, contents: StoreContents): Promise<void> {
      const records = new Records()
      for (const all of Object.values(contents.records)) for (const record of all) records.put(record)
      records.resumeSequence(contents.sequence)
      kept.set(id, records)
    },
    async deleteSandbox({ id }: SandboxPlace): Promise<void> {
      kept.delete(id)
    },
  }
}
