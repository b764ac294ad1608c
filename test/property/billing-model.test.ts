import fc from 'fast-check'
import { noteTried, runs } from '../support/property.ts'
import { dunnings } from '../support/random-params.ts'
import { suite } from '../support/suite.ts'
import { isSound } from './lives.ts'
import { happenings, type Step } from './model/steps.ts'
import { Twin } from './model/twin.ts'
import { whole } from './retelling.ts'

const HOUR_MS = 3_600_000
const test = suite('property/billing-model', {}, 4 * HOUR_MS)

const MAX_STEPS = 60

const scripts = fc.array(happenings, { minLength: 1, maxLength: MAX_STEPS, size: 'max' })
const OPENING: readonly Step[] = [
  { step: 'create clock', offset: 0 },
  { step: 'create customer', clock: null },
  { step: 'create customer', clock: 0 },
]

test('billing does what the tables of the design say, whatever is begun at once, after every step', async () => {
  let operations = 0
  await fc.assert(
    fc.asyncProperty(dunnings, scripts, async (policy, script) => {
      const twin = new Twin(policy)
      for (const step of OPENING) await twin.perform({ steps: [step], lags: [] })
      for (const happening of script) {
        await twin.perform(happening)
        operations += happening.steps.length
        // After single steps the invariants are looked at elsewhere.
        if (happening.steps.length > 1) isSound(await whole(twin.sandbox))
      }
      isSound(await whole(twin.sandbox))
    }),
    runs(100),
  )
  noteTried(operations, 'operations')
})

test.run()
