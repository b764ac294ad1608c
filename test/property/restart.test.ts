import { join } from 'node:path'
import fc from 'fast-check'
import { createMemoryStore } from '../../src/store/memory/memory.ts'
import { openStore } from '../../src/store/open.ts'
import { COLLECTION_NAMES } from '../../src/store/port/collections.ts'
import { newFolder } from '../support/folders.ts'
import { runs } from '../support/property.ts'
import { createSandbox, DAY } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'
import { newDatabase } from '../support/test-store.ts'
import { isSound, live, lives } from './lives.ts'
import { isRetoldAlike, retold, whole } from './retelling.ts'

const HOUR_MS = 3_600_000
const test = suite('property/restart', {}, HOUR_MS)

/** More ids than any script uses, so that a second life gives none again. */
const SECOND_LIFE = 1_000_000
const MAX_ACTS = 20

/** A new database that outlives who opens it: of the run's store, or a file where that is memory. */
async function newPlace() {
  const file = (await newDatabase()) ?? join(newFolder(), 'paycli.json')
  let suffixes = 0
  return () =>
    openStore({
      file,
      newSuffix: () => {
        suffixes += 1
        return `suffix-${suffixes}`
      },
      clockwork: { pause: () => new Promise(setImmediate), monotonicMs: () => performance.now() },
      holder: { pid: process.pid, url: 'a test' },
    })
}

test('a database holds what memory would hold, and still does after a restart', async () => {
  await fc.assert(
    fc.asyncProperty(lives(MAX_ACTS), async ({ dunning, script }) => {
      const open = await newPlace()
      const [inMemory, kept] = [
        createSandbox({ dunning, store: createMemoryStore() }),
        createSandbox({ dunning, store: await open() }),
      ]
      await live(inMemory, script)
      await live(kept, script)
      const before = await kept.snapshot()
      assert.equal(before, await inMemory.snapshot())
      await kept.store.close()
      const store = await open()
      for (const collection of COLLECTION_NAMES) {
        const again = await Promise.all(before.records[collection].map(({ id }) => store.get(collection, id)))
        assert.equal(again, before.records[collection])
      }
      await store.close()
    }),
    runs(15),
  )
})

test('what fell due while the process was down is done when it is back, as if it had never stopped', async () => {
  await fc.assert(
    fc.asyncProperty(lives(MAX_ACTS), async ({ dunning, script }) => {
      const open = await newPlace()
      const [steady, stopped] = [
        createSandbox({ dunning, store: createMemoryStore() }),
        createSandbox({ dunning, store: await open() }),
      ]
      await live(steady, script)
      await live(stopped, script)
      await stopped.store.close()
      const store = await open()
      const back = createSandbox({ dunning, store, idsFrom: SECOND_LIFE })
      const later = stopped.now() + 71 * DAY
      await steady.moveTo(later)
      await back.moveTo(later)
      isRetoldAlike(retold(await whole(back)), retold(await whole(steady)))
      isSound(await whole(back))
      await store.close()
    }),
    runs(15),
  )
})

test.run()
