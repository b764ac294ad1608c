import fc from 'fast-check'
import { runs } from '../support/property.ts'
import { dunnings } from '../support/random-params.ts'
import { suite } from '../support/suite.ts'
import { isSound } from './lives.ts'
import { deleteClock, steps } from './model-steps.ts'
import { Twin } from './model-twin.ts'
import { whole } from './retelling.ts'

const HOUR_MS = 3_600_000
const test = suite('property/billing-model', {}, 4 * HOUR_MS)

const MAX_STEPS = 60

const scripts = fc.array(fc.oneof({ weight: 60, arbitrary: steps }, { weight: 1, arbitrary: deleteClock }), {
  minLength: 1,
  maxLength: MAX_STEPS,
  size: 'max',
})

test('billing does what the tables of the design say, after every single step', async () => {
  await fc.assert(
    fc.asyncProperty(dunnings, scripts, async (policy, script) => {
      const twin = new Twin(policy)
      await twin.perform({ step: 'create clock', offset: 0 })
      await twin.perform({ step: 'create customer', clock: null })
      await twin.perform({ step: 'create customer', clock: 0 })
      for (const step of script) await twin.perform(step)
      isSound(await whole(twin.sandbox))
    }),
    runs(60),
  )
})

test.run()
