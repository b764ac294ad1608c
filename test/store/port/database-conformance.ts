import type { SandboxStorage } from '../../../src/domain/sandboxes/sandboxes.ts'
import type { SandboxLocation } from '../../../src/store/port/database.ts'
import type { Store } from '../../../src/store/port/store.ts'
import { suite } from '../../support/suite.ts'
import type { OpenedDatabase } from '../fixture.ts'
import { sandboxes } from './contract-sandboxes.ts'

interface DatabaseConformanceOptions {
  /** The storages of sandboxes to test: all storages of the database. */
  readonly storages: readonly SandboxStorage[]
  readonly open: () => Promise<OpenedDatabase>
  /** Runs after all tests. */
  readonly end?: () => Promise<void>
}

/** Runs the contract tests of a database for sandboxes of each storage; `open` opens a new, empty database. */
export function databaseConformance(
  name: string,
  { storages, open, end = async () => {} }: DatabaseConformanceOptions,
): void {
  const test = suite(name)
  test.after(end)
  for (const storage of storages) {
    for (const [title, run] of Object.entries(sandboxes)) {
      test(`${title} (${storage})`, async () => {
        const { dispose, reopen, database } = await open()
        const stores: Store[] = []
        const openSandbox = async (place: SandboxLocation) => {
          const store = await database.openSandbox(place)
          stores.push(store)
          return store
        }
        const places = { a: { id: 'sbx_a', storage }, b: { id: 'sbx_b', storage } }
        try {
          await run({ database: { ...database, openSandbox }, reopen, ...places })
        } finally {
          for (const store of stores) await store.close()
          await dispose()
        }
      })
    }
  }
  test.run()
}
