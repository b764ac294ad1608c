import fc from 'fast-check'
import { buildCopyContents } from '../../src/engine/sandbox-copies.ts'
import { indexContents } from '../../src/store/memory/index-contents.ts'
import { createMemoryStore } from '../../src/store/memory/memory-store.ts'
import { runCount } from '../support/property.ts'
import { CHECKOUT_URL, createSandbox, DAY } from '../support/sandbox.ts'
import { releaseStoresAfterEachCase } from '../support/store-per-case.ts'
import { assert, suite } from '../support/suite.ts'
import { assertInvariants, executeRun, randomRuns } from './random-runs.ts'

const HOUR_MS = 3_600_000
const test = suite('property/copies', {}, 4 * HOUR_MS)

releaseStoresAfterEachCase()

const MAX_ACTS = 100
const COPY_URL = 'https://pay.example.com/sbx_copy'
const yieldToEventLoop = async () => {}
const newWebhookSecret = () => 'whsec_copy'
const NO_SLICES = { yieldToEventLoop, monotonicMs: () => 0 }

test('a copy keeps every invariant, contains no address of its source, and causes the same later events', async () => {
  await fc.assert(
    fc.asyncProperty(randomRuns(MAX_ACTS, { size: 'max' }), async ({ dunning, script }) => {
      const sandbox = createSandbox({ dunning })
      await executeRun(sandbox, script)
      const copyFor = async (checkoutUrl: string) =>
        buildCopyContents(await sandbox.store.capture(), { checkoutUrl, yieldToEventLoop, newWebhookSecret })
      const elsewhere = await copyFor(COPY_URL)
      assertInvariants({
        ...(await sandbox.snapshot()),
        records: elsewhere.records,
        checkoutUrl: COPY_URL,
      })
      assert.not(JSON.stringify(elsewhere.records).includes(CHECKOUT_URL))
      const contents = await copyFor(CHECKOUT_URL)
      const store = createMemoryStore(await indexContents(contents, NO_SLICES))
      const copy = createSandbox({ dunning, store, idsFrom: 1_000_000 })
      copy.setClock(sandbox.now())
      await sandbox.advance(40 * DAY)
      await copy.advance(40 * DAY)
      // The snapshot of a test lists only the private records that this runtime wrote.
      const { records } = await store.capture()
      assertInvariants({ ...(await copy.snapshot()), records })
      const typesAfter = async (events: typeof sandbox.events) =>
        (await events())
          .filter(({ sequence }) => sequence > contents.sequence)
          .map(({ type, created }) => [type, created])
      assert.equal(await typesAfter(copy.events), await typesAfter(sandbox.events))
    }),
    runCount(50),
  )
})

test.run()
