import fc from 'fast-check'
import { api } from '../../src/api/index.ts'
import { DomainError } from '../../src/domain/domain-error.ts'
import { resumeClocks } from '../../src/engine/clocks.ts'
import { createMemoryStore } from '../../src/store/memory/memory.ts'
import type { Store } from '../../src/store/port/store.ts'
import { runs } from '../support/property.ts'
import { acts, beginWith, perform } from '../support/random-operations.ts'
import { dunnings } from '../support/random-params.ts'
import { newCheckout, newPaymentSession } from '../support/samples.ts'
import { createSandbox, DAY, type Sandbox, START } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'
import { isSound, type Life, live, lives } from './lives.ts'
import { isRetoldAlike, retold, whole } from './retelling.ts'

const HOUR_MS = 3_600_000
const test = suite('property/interruption', {}, 4 * HOUR_MS)

const MAX_ACTS = 40
/** More ids than any script uses, so that a later life gives none again. */
const IDS_PER_LIFE = 1_000_000

class ProcessEnded extends Error {}

/** A store whose process ends after so many transactions: from then on nothing is stored any more. */
function mortal(store: Store, transactions: number): Store {
  let left = transactions
  return {
    get: store.get.bind(store),
    list: store.list.bind(store),
    due: store.due.bind(store),
    oldest: store.oldest.bind(store),
    count: store.count.bind(store),
    newestSequence: store.newestSequence.bind(store),
    close: store.close.bind(store),
    transact: (work) =>
      store.transact((reader) => {
        if (left === 0) throw new ProcessEnded('the process ended')
        left -= 1
        return work(reader)
      }),
  }
}

async function survive(work: Promise<unknown>): Promise<'done' | 'refused' | 'ended'> {
  try {
    await work
    return 'done'
  } catch (error) {
    if (error instanceof DomainError) return 'refused'
    if (error instanceof ProcessEnded) return 'ended'
    throw error
  }
}

/** A script in which the process ends during some acts, each after so many transactions. */
interface Interrupted {
  readonly life: Life
  readonly deaths: readonly { readonly at: number; readonly transactions: number }[]
}

const interrupted: fc.Arbitrary<Interrupted> = fc.record({
  life: lives(MAX_ACTS, { size: 'max' }),
  deaths: fc.array(
    fc.record({ at: fc.nat({ max: MAX_ACTS }), transactions: fc.oneof(fc.nat({ max: 3 }), fc.nat(40)) }),
    { minLength: 1, maxLength: 6 },
  ),
})

/** Lives a script through over one store, with a new process after each death that goes on where the last one was. */
async function liveAndDie({ life: { dunning, script }, deaths }: Interrupted): Promise<Sandbox> {
  const store = createMemoryStore()
  let born = 0
  const next = (alive: Store, now: number) => {
    const sandbox = createSandbox({ dunning, store: alive, idsFrom: born * IDS_PER_LIFE })
    born += 1
    sandbox.setClock(now)
    return sandbox
  }
  let sandbox = next(store, START)
  const cast = await beginWith(sandbox)
  for (const [at, act] of script.entries()) {
    const death = deaths.find((one) => one.at === at)
    // What takes two calls would be half done.
    if (death === undefined || act.act === 'subscribe') {
      await survive(perform(sandbox, cast, act))
      await sandbox.advance(0)
      continue
    }
    const dying = next(mortal(store, death.transactions), sandbox.now())
    const before = await store.newestSequence()
    const end = await survive(perform(dying, cast, act))
    const isDone = (await store.newestSequence()) > before || act.act === 'wait'
    sandbox = next(store, dying.now())
    await resumeClocks(sandbox.runtime)
    await sandbox.advance(0)
    if (end === 'ended' && !isDone) await survive(perform(sandbox, cast, act))
    await sandbox.advance(0)
  }
  return sandbox
}

test('a process that ends in the middle of anything goes on as if it had never ended', async () => {
  await fc.assert(
    fc.asyncProperty(interrupted, async (given) => {
      const { dunning, script } = given.life
      const steady = createSandbox({ dunning })
      await live(steady, script)
      const revived = await whole(await liveAndDie(given))
      isSound(revived)
      isRetoldAlike(retold(revived), retold(await whole(steady)))
    }),
    runs(40),
  )
})

/** Acts that are begun at once; time moves on only between the groups. */
const groups = fc.array(
  fc.record({
    acts: fc.array(
      acts.filter(({ act }) => act !== 'wait'),
      { minLength: 1, maxLength: 10 },
    ),
    pause: fc.constantFrom(0, 3, 3600, DAY, 7 * DAY, 31 * DAY),
  }),
  { minLength: 1, maxLength: 15, size: 'max' },
)

test('whatever is begun at the same moment, every invariant holds', async () => {
  await fc.assert(
    fc.asyncProperty(dunnings, groups, async (dunning, script) => {
      const sandbox = createSandbox({ dunning })
      const cast = await beginWith(sandbox)
      for (const group of script) {
        await Promise.all(group.acts.map((act) => survive(perform(sandbox, cast, act))))
        await sandbox.advance(group.pause)
        isSound(await whole(sandbox))
      }
    }),
    runs(40),
  )
})

test('of many tries to complete a session at once exactly one charges', async () => {
  const cases = fc.record({
    isCheckout: fc.boolean(),
    cards: fc.array(fc.constantFrom('visa', 'mastercard', 'declined', 'slow', 'sca_done', 'every_other'), {
      minLength: 2,
      maxLength: 8,
    }),
  })
  await fc.assert(
    fc.asyncProperty(cases, async ({ isCheckout, cards }) => {
      const sandbox = createSandbox()
      const session = isCheckout ? await newCheckout(sandbox) : await newPaymentSession(sandbox)
      const { complete } = isCheckout ? api.checkoutSessions : api.paymentSessions
      const tries = [...cards, 'visa'].map((test_card) =>
        survive(sandbox.send(complete, { id: session.id, body: { test_card } })),
      )
      await Promise.all(tries)
      await sandbox.advance(3)
      await survive(sandbox.send(complete, { id: session.id, body: { test_card: 'visa' } }))
      const snapshot = await whole(sandbox)
      isSound(snapshot)
      const succeeded = snapshot.records.payments.filter(({ status }) => status === 'succeeded')
      assert.is(succeeded.length, 1)
    }),
    runs(60),
  )
})

test.run()
