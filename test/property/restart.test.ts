import fc from 'fast-check'
import { checkInvariants } from '../../src/engine/invariants.ts'
import { COLLECTION_NAMES } from '../../src/store/collections.ts'
import { makeFolder } from '../store/lowdb-folder.ts'
import { runs } from '../support/property.ts'
import { type Act, acts, type Cast, perform } from '../support/random-operations.ts'
import { createSandbox, DAY, refusal, type Sandbox } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'

const HOUR_MS = 3_600_000
const test = suite('property/restart', {}, HOUR_MS)

/** More ids than any script uses, so that a second life gives none again. */
const SECOND_LIFE = 1_000_000
const scripts = fc.array(acts, { minLength: 1, maxLength: 20 })

async function live(sandbox: Sandbox, script: readonly Act[]): Promise<void> {
  const cast: Cast = { customers: [], sessions: [], endpoints: [] }
  await perform(sandbox, cast, { act: 'create customer', params: { email: 'first@example.com' } })
  for (const act of script) await perform(sandbox, cast, act).catch((error) => refusal(Promise.reject(error)))
}

test('a database file holds what memory would hold, and still does after a restart', async () => {
  await fc.assert(
    fc.asyncProperty(scripts, async (script) => {
      const folder = await makeFolder()
      try {
        const [inMemory, onDisk] = [createSandbox(), createSandbox({ store: await folder.open() })]
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
    fc.asyncProperty(scripts, async (script) => {
      const folder = await makeFolder()
      try {
        const [steady, stopped] = [createSandbox(), createSandbox({ store: await folder.open() })]
        await live(steady, script)
        await live(stopped, script)
        await stopped.store.close()
        const back = createSandbox({ store: await folder.open(), idsFrom: SECOND_LIFE })
        const later = stopped.now() + 71 * DAY
        await steady.moveTo(later)
        await back.moveTo(later)
        const told = async (sandbox: Sandbox) =>
          (await sandbox.events()).map(({ type, created, sequence, data }) => [sequence, type, created, data])
        assert.equal(await told(back), await told(steady))
        assert.equal(checkInvariants(await back.snapshot()).filter(isOfUnlisted), [])
      } finally {
        await folder.dispose()
      }
    }),
    runs(15),
  )
})

// The stubs of customers deleted in the first life are in no list, so the second cannot know that they are there.
function isOfUnlisted(problem: string): boolean {
  return !/cus_/.test(problem)
}

test.run()
