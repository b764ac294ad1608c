import { INVARIANTS } from '../../src/engine/invariants.ts'
import { assert, suite } from '../support/suite.ts'
import { CANARIES, type Draft } from './canaries.ts'
import { BILLING_CANARIES } from './canaries-billing.ts'
import { isSound } from './lives.ts'
import { everything } from './story.ts'

const test = suite('property/invariants')

const canaries = [...CANARIES, ...BILLING_CANARIES]
const story = everything()

test('a story told by the rules breaks none', async () => {
  isSound(await story)
})

for (const [invariant, broken, corrupt] of canaries) {
  test(`${invariant} finds ${broken}`, async () => {
    const draft = structuredClone(await story) as Draft
    corrupt(draft.records, draft)
    const found = [...(INVARIANTS[invariant]?.(draft) ?? [])]
    assert.ok(found.length > 0, `${invariant} found nothing wrong`)
  })
}

test('every invariant has a canary', () => {
  assert.equal(
    Object.keys(INVARIANTS).filter((name) => canaries.every(([invariant]) => invariant !== name)),
    [],
  )
})

test.run()
