import fc from 'fast-check'
import type { Snapshot } from '../../src/engine/invariants.ts'
import { dropExpired } from '../../src/engine/retention.ts'
import { runs } from '../support/property.ts'
import { CVC, createSandbox } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'
import { isSound, live, lives } from './lives.ts'

const HOUR_MS = 3_600_000
const test = suite('property/any-sequence', {}, 4 * HOUR_MS)

const MAX_ACTS = 100

/** Texts that hold what was typed in as CVC; nothing else that a test makes up has three digits in a row of their own. */
function* cvcsIn(snapshot: Snapshot): Generator<string> {
  const pattern = new RegExp(`(?<!\\w)${CVC}1?(?!\\w)`)
  for (const record of Object.values(snapshot.records).flat()) {
    const texts: string[] = JSON.stringify(record).match(/"(?:[^"\\]|\\.)*"/g) ?? []
    if (texts.some((text) => pattern.test(text))) yield record.id
  }
}

/** The same as `paycli doctor` sees it: at no known time, made at no known address, collected in no known way. */
function examined({ sequence, records }: Snapshot): Snapshot {
  return { now: 0, checkoutUrl: null, sequence, records }
}

test('any sequence of requests, pages and moments keeps every invariant', async () => {
  await fc.assert(
    fc.asyncProperty(lives(MAX_ACTS, { size: 'max' }), async ({ dunning, script }) => {
      const sandbox = createSandbox({ dunning })
      await live(sandbox, script)
      const snapshot = await sandbox.snapshot()
      isSound(snapshot)
      isSound(examined(snapshot))
      assert.equal([...cvcsIn(snapshot)], [])
    }),
    runs(150),
  )
})

test('every invariant holds after every single act', async () => {
  await fc.assert(
    fc.asyncProperty(lives(MAX_ACTS), async ({ dunning, script }) => {
      const sandbox = createSandbox({ dunning })
      await live(sandbox, script, async (act) => {
        isSound(await sandbox.snapshot(), `after '${act.act}'`)
      })
    }),
    runs(25),
  )
})

test('every invariant holds of what is left when the beginning of history was dropped', async () => {
  const cases = fc.record({ life: lives(MAX_ACTS, { size: 'max' }), maxEvents: fc.nat({ max: 60 }) })
  await fc.assert(
    fc.asyncProperty(cases, async ({ life: { dunning, script }, maxEvents }) => {
      const sandbox = createSandbox({ dunning })
      await live(sandbox, script)
      await dropExpired(sandbox.runtime, { maxAgeSeconds: 1e9, maxEvents })
      isSound(examined(await sandbox.snapshot()))
    }),
    runs(40),
  )
})

test.run()
