import fc from 'fast-check'
import { ERRORS } from '../../src/api/errors.ts'
import { Refusal } from '../../src/domain/refusal.ts'
import { holdsCardNumber, wordsOf } from '../../src/engine/invariants/secrets.ts'
import { checkInvariants, type Snapshot } from '../../src/engine/invariants.ts'
import { runs } from '../support/property.ts'
import { type Act, acts, type Cast, perform } from '../support/random-operations.ts'
import { CVC, createSandbox, type Sandbox } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'

const HOUR_MS = 3_600_000
const test = suite('property/any-sequence', {}, HOUR_MS)

const MAX_ACTS = 40
/** A code that leaves a payment attempt behind. */
const CARD_ERROR = 'card_error'

async function live(script: readonly Act[]): Promise<Sandbox> {
  const sandbox = createSandbox()
  const cast: Cast = { customers: [], sessions: [], endpoints: [] }
  await perform(sandbox, cast, { act: 'create customer', params: { email: 'first@example.com' } })
  for (const act of script) {
    const before = (await sandbox.events()).length
    try {
      await perform(sandbox, cast, act)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      checkRefusal(error, (await sandbox.events()).length - before)
    }
  }
  return sandbox
}

function checkRefusal(refusal: Refusal, eventsTold: number): void {
  const [status, type] = ERRORS[refusal.code] ?? []
  assert.ok(status !== undefined && status < 500, `${refusal.code} is in no catalogue`)
  if (type !== CARD_ERROR) assert.is(eventsTold, 0, `${refusal.code} left events behind`)
  assert.not(holdsCardNumber(`${refusal.message} ${wordsOf(refusal.details)}`), refusal.message)
}

/** Texts that hold what was typed in as CVC; nothing else that a test makes up has three digits in a row of their own. */
function* cvcsIn(snapshot: Snapshot): Generator<string> {
  const pattern = new RegExp(`(?<!\\w)${CVC}1?(?!\\w)`)
  for (const record of Object.values(snapshot.records).flat()) {
    const texts: string[] = JSON.stringify(record).match(/"(?:[^"\\]|\\.)*"/g) ?? []
    if (texts.some((text) => pattern.test(text))) yield record.id
  }
}

test('any sequence of requests, pages and moments keeps every invariant', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(acts, { minLength: 1, maxLength: MAX_ACTS, size: 'max' }), async (script) => {
      const snapshot = await (await live(script)).snapshot()
      assert.equal(checkInvariants(snapshot), [])
      assert.equal([...cvcsIn(snapshot)], [])
    }),
    runs(150),
  )
})

test('the same sequence makes the same history', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(acts, { minLength: 1, maxLength: MAX_ACTS }), async (script) => {
      const [once, again] = [await live(script), await live(script)]
      assert.equal(await once.snapshot(), await again.snapshot())
    }),
    runs(20),
  )
})

/** The same acts, with each wait in two parts. */
function inSteps(script: readonly Act[]): Act[] {
  return script.flatMap((act): Act[] => {
    if (act.act !== 'wait') return [act]
    const first = Math.floor(act.seconds / 3)
    return [
      { act: 'wait', seconds: first },
      { act: 'wait', seconds: act.seconds - first },
    ]
  })
}

// Deliveries live on wall time, which is what the steps are made of.
function onObjectTime({ records }: Snapshot): object {
  return { ...records, webhook_deliveries: [] }
}

test('waiting in steps comes to the same as waiting at once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(acts, { minLength: 1, maxLength: MAX_ACTS }), async (script) => {
      const [once, steps] = [await live(script), await live(inSteps(script))]
      assert.equal(onObjectTime(await once.snapshot()), onObjectTime(await steps.snapshot()))
    }),
    runs(20),
  )
})

test.run()
