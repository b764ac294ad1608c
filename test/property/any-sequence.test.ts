import fc from 'fast-check'
import type { Snapshot } from '../../src/engine/invariants.ts'
import { deleteExpiredRecords } from '../../src/engine/retention.ts'
import { runCount } from '../support/property.ts'
import { CVC, createSandbox } from '../support/sandbox.ts'
import { releaseStoresAfterEachCase } from '../support/store-per-case.ts'
import { assert, suite } from '../support/suite.ts'
import { assertInvariants, executeRun, randomRuns } from './random-runs.ts'

const HOUR_MS = 3_600_000
const test = suite('property/any-sequence', {}, 4 * HOUR_MS)

releaseStoresAfterEachCase()

const MAX_ACTS = 100

/** Finds records with the entered security code. No other test value has a separate group of three digits. */
function* findSecurityCodes(snapshot: Snapshot): Generator<string> {
  const pattern = new RegExp(`(?<!\\w)${CVC}1?(?!\\w)`)
  for (const record of Object.values(snapshot.records).flat()) {
    const texts: string[] = JSON.stringify(record).match(/"(?:[^"\\]|\\.)*"/g) ?? []
    if (texts.some((text) => pattern.test(text))) yield record.id
  }
}

/** Returns the snapshot as `paycli doctor` reads it: without current time, checkout URL and dunning policy. */
function withoutContext({ sequence, records }: Snapshot): Snapshot {
  return { now: 0, checkoutUrl: null, sequence, records }
}

test('any sequence of requests, page visits and time steps keeps every invariant, also after retention', async () => {
  const cases = fc.record({ life: randomRuns(MAX_ACTS, { size: 'max' }), maxEvents: fc.nat({ max: 60 }) })
  await fc.assert(
    fc.asyncProperty(cases, async ({ life: { dunning, script }, maxEvents }) => {
      const sandbox = createSandbox({ dunning })
      await executeRun(sandbox, script)
      const snapshot = await sandbox.snapshot()
      assertInvariants(snapshot)
      assertInvariants(withoutContext(snapshot))
      assert.equal([...findSecurityCodes(snapshot)], [])
      await deleteExpiredRecords(sandbox.runtime, { maxAgeSeconds: 1e9, maxEvents })
      assertInvariants(withoutContext(await sandbox.snapshot()))
    }),
    runCount(150),
  )
})

test('every invariant holds after each operation of a random sequence', async () => {
  await fc.assert(
    fc.asyncProperty(randomRuns(MAX_ACTS), async ({ dunning, script }) => {
      const sandbox = createSandbox({ dunning })
      await executeRun(sandbox, script, async (act) => {
        assertInvariants(await sandbox.snapshot(), `after '${act.act}'`)
      })
    }),
    runCount(25),
  )
})

test.run()
