import { INVARIANTS } from '../../src/engine/invariants.ts'
import { assert, suite } from '../support/suite.ts'
import { CORRUPTIONS, type MutableSnapshot } from './corruptions.ts'
import { BILLING_CORRUPTIONS } from './corruptions-billing.ts'
import { PAUSE_CORRUPTIONS } from './corruptions-pauses.ts'
import { assertInvariants } from './random-runs.ts'
import { createSampleSnapshot } from './sample-snapshot.ts'

const test = suite('property/invariants')

const corruptions = [...CORRUPTIONS, ...BILLING_CORRUPTIONS, ...PAUSE_CORRUPTIONS]
const sample = createSampleSnapshot()

test('the sample snapshot violates no invariant', async () => {
  assertInvariants(await sample)
})

for (const [invariant, broken, corrupt] of corruptions) {
  test(`invariant ${invariant} reports ${broken}`, async () => {
    const draft = structuredClone(await sample) as MutableSnapshot
    corrupt(draft.records, draft)
    const found = [...(INVARIANTS[invariant]?.(draft) ?? [])]
    assert.ok(found.length > 0, `${invariant} found no violation`)
  })
}

test('every invariant is tested with a corrupt snapshot', () => {
  assert.equal(
    Object.keys(INVARIANTS).filter((name) => corruptions.every(([invariant]) => invariant !== name)),
    [],
  )
})

test.run()
