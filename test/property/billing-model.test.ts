import fc from 'fast-check'
import { noteRuns, runCount } from '../support/property.ts'
import { dunnings } from '../support/random-params.ts'
import { releaseStoresAfterEachCase } from '../support/store-per-case.ts'
import { suite } from '../support/suite.ts'
import { ModelComparison } from './model/model-comparison.ts'
import { randomSteps, type Step } from './model/steps.ts'
import { readSnapshot } from './normalized-snapshot.ts'
import { assertInvariants } from './random-runs.ts'

const HOUR_MS = 3_600_000
const test = suite('property/billing-model', {}, 4 * HOUR_MS)

releaseStoresAfterEachCase()

const MAX_STEPS = 60

const scripts = fc.array(randomSteps, { minLength: 1, maxLength: MAX_STEPS, size: 'max' })
const OPENING: readonly Step[] = [
  { step: 'create clock', offset: 0 },
  { step: 'create customer', clock: null },
  { step: 'create customer', clock: 0 },
  {
    step: 'create coupon',
    terms: { percent: 3333, off: null, currency: 'eur', isOnce: false, months: 2, max: null },
  },
  { step: 'create promotion code', pick: 0, terms: { max: null, isFirstOnly: true, lifetime: null } },
]

test('billing has the same state as the reference model after every step, with concurrent steps and restarts', async () => {
  let operations = 0
  let restarts = 0
  await fc.assert(
    fc.asyncProperty(dunnings, scripts, async (policy, script) => {
      const comparison = new ModelComparison(policy)
      for (const step of OPENING) await comparison.perform({ steps: [step], lags: [] })
      for (const next of script) {
        await comparison.perform(next)
        operations += next.steps.length
        restarts += next.steps.filter(({ step }) => step === 'restart').length
        // any-sequence.test.ts checks the invariants after single steps.
        if (next.steps.length > 1) assertInvariants(await readSnapshot(comparison.sandbox))
      }
      assertInvariants(await readSnapshot(comparison.sandbox))
    }),
    runCount(100),
  )
  noteRuns(operations, `operations with ${restarts} restarts`)
})

test.run()
