import fc from 'fast-check'
import { COLLECTION_NAMES } from '../../src/store/collections.ts'
import { makeFolder } from '../store/lowdb-folder.ts'
import { runs } from '../support/property.ts'
import { createSandbox, DAY } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'
import { isSound, live, lives } from './lives.ts'
import { isRetoldAlike, retold, whole } from './retelling.ts'

const HOUR_MS = 3_600_000
const test = suite('property/restart', {}, HOUR_MS)

/** More ids than any script uses, so that a second life gives none again. */
const SECOND_LIFE = 1_000_000
const MAX_ACTS = 20

test('a database file holds what memory would hold, and still does after a restart', async () => {
  await fc.assert(
    fc.asyncProperty(lives(MAX_ACTS), async ({ dunning, script }) => {
      const folder = await makeFolder()
      try {
        const [inMemory, onDisk] = [
          createSandbox({ dunning }),
          createSandbox({ dunning, store: await folder.open() }),
        ]
        await live(inMemory, script)
        await live(onDisk, script)
        const before = await onDisk.snapshot()
        assert.equal(before, await inMemory.snapshot())
        await onDisk.store.close()
        const store = await folder.open()
        for (const collection of COLLECTION_NAMES) {
          const again = await Promise.all(
            before.records[collection].map(({ id }) => store.get(collection, id)),
          )
          assert.equal(again, before.records[collection])
        }
      } finally {
        await folder.dispose()
      }
    }),
    runs(15),
  )
})

test('what fell due while the process was down is done when it is back, as if it had never stopped', async () => {
  await fc.assert(
    fc.asyncProperty(lives(MAX_ACTS), async ({ dunning, script }) => {
      const folder = await makeFolder()
      try {
        const [steady, stopped] = [
          createSandbox({ dunning }),
          createSandbox({ dunning, store: await folder.open() }),
        ]
        await live(steady, script)
        await live(stopped, script)
        await stopped.store.close()
        const back = createSandbox({ dunning, store: await folder.open(), idsFrom: SECOND_LIFE })
        const later = stopped.now() + 71 * DAY
        await steady.moveTo(later)
        await back.moveTo(later)
        isRetoldAlike(retold(await whole(back)), retold(await whole(steady)))
        isSound(await whole(back))
      } finally {
        await folder.dispose()
      }
    }),
    runs(15),
  )
})

test.run()
