import { join } from 'node:path'
import fc from 'fast-check'
import { createMemoryStore } from '../../src/store/memory/memory-store.ts'
import { openDatabase } from '../../src/store/open-database.ts'
import { COLLECTION_NAMES } from '../../src/store/port/collections.ts'
import { newFolder } from '../support/folders.ts'
import { runCount } from '../support/property.ts'
import { createSandbox, DAY } from '../support/sandbox.ts'
import { releaseStoresAfterEachCase } from '../support/store-per-case.ts'
import { assert, suite } from '../support/suite.ts'
import { newDatabase } from '../support/test-store.ts'
import { assertSameHistory, normalizeSnapshot, readSnapshot } from './normalized-snapshot.ts'
import { assertInvariants, executeRun, randomRuns } from './random-runs.ts'

const HOUR_MS = 3_600_000
const test = suite('property/restart', {}, HOUR_MS)

releaseStoresAfterEachCase()

/** More ids than any script uses, so that the second process generates other ids. */
const SECOND_PROCESS_IDS = 1_000_000
const MAX_ACTS = 20

/** Creates a persistent database in the tested store, or in a file when the memory store is tested. */
async function newPersistentDatabase() {
  const file = (await newDatabase()) ?? join(newFolder(), 'paycli.json')
  let suffixes = 0
  return async () => {
    const { defaultStore } = await openDatabase({
      file,
      newSuffix: () => {
        suffixes += 1
        return `suffix-${suffixes}`
      },
      scheduling: { yieldToEventLoop: () => new Promise(setImmediate), monotonicMs: () => performance.now() },
      holder: { pid: process.pid, url: 'a test' },
    })
    return defaultStore
  }
}

test('a database has the same records as the memory store, also after a restart that runs overdue jobs', async () => {
  await fc.assert(
    fc.asyncProperty(randomRuns(MAX_ACTS), async ({ dunning, script }) => {
      const open = await newPersistentDatabase()
      const [steady, stopped] = [
        createSandbox({ dunning, store: createMemoryStore() }),
        createSandbox({ dunning, store: await open() }),
      ]
      await executeRun(steady, script)
      await executeRun(stopped, script)
      const before = await stopped.snapshot()
      assert.equal(before, await steady.snapshot())
      await stopped.store.close()
      const store = await open()
      for (const collection of COLLECTION_NAMES) {
        const again = await Promise.all(before.records[collection].map(({ id }) => store.get(collection, id)))
        assert.equal(again, before.records[collection])
      }
      const back = createSandbox({ dunning, store, idsFrom: SECOND_PROCESS_IDS })
      const later = stopped.now() + 71 * DAY
      await steady.moveTo(later)
      await back.moveTo(later)
      assertSameHistory(
        normalizeSnapshot(await readSnapshot(back)),
        normalizeSnapshot(await readSnapshot(steady)),
      )
      assertInvariants(await readSnapshot(back))
      await store.close()
    }),
    runCount(15),
  )
})

test.run()
