import fc from 'fast-check'
import { DomainError } from '../../src/domain/core/domain-error.ts'
import { resumeInterruptedClocks } from '../../src/engine/clocks.ts'
import type { Store } from '../../src/store/port/store.ts'
import { runCount } from '../support/property.ts'
import { createCast, perform, randomOperations } from '../support/random-operations.ts'
import { dunnings } from '../support/random-params.ts'
import { createSandbox, DAY, type Sandbox, START } from '../support/sandbox.ts'
import { releaseStoresAfterEachCase } from '../support/store-per-case.ts'
import { suite } from '../support/suite.ts'
import { createTestStore } from '../support/test-store.ts'
import { assertSameHistory, normalizeSnapshot, readSnapshot } from './normalized-snapshot.ts'
import { assertInvariants, executeRun, type RandomRun, randomRuns } from './random-runs.ts'

const HOUR_MS = 3_600_000
const test = suite('property/interruption', {}, 4 * HOUR_MS)

releaseStoresAfterEachCase()

const MAX_ACTS = 40
/** More ids than any script uses, so that a later process generates other ids. */
const IDS_PER_PROCESS = 1_000_000

class ProcessEnded extends Error {}

/** Returns a store that fails after a number of transactions, as if the process had ended. */
function failAfter(store: Store, transactions: number): Store {
  let left = transactions
  return {
    ...store,
    transact: (work) =>
      store.transact((reader) => {
        if (left === 0) throw new ProcessEnded('the process ended')
        left -= 1
        return work(reader)
      }),
  }
}

async function outcomeOf(work: Promise<unknown>): Promise<'done' | 'refused' | 'ended'> {
  try {
    await work
    return 'done'
  } catch (error) {
    if (error instanceof DomainError) return 'refused'
    if (error instanceof ProcessEnded) return 'ended'
    throw error
  }
}

/** A run whose process ends during some operations, after a number of transactions each. */
interface InterruptedRun {
  readonly run: RandomRun
  readonly interruptions: readonly { readonly at: number; readonly transactions: number }[]
}

const interruptedRuns: fc.Arbitrary<InterruptedRun> = fc.record({
  run: randomRuns(MAX_ACTS, { size: 'max' }),
  interruptions: fc.array(
    fc.record({ at: fc.nat({ max: MAX_ACTS }), transactions: fc.oneof(fc.nat({ max: 3 }), fc.nat(40)) }),
    { minLength: 1, maxLength: 6 },
  ),
})

/** Executes a run with one store, and continues with a new process after each interruption. */
async function executeInterrupted({ run, interruptions }: InterruptedRun): Promise<Sandbox> {
  const { dunning, script } = run
  const store = createTestStore()
  let processes = 0
  const startProcess = (processStore: Store, now: number) => {
    const sandbox = createSandbox({ dunning, store: processStore, idsFrom: processes * IDS_PER_PROCESS })
    processes += 1
    sandbox.setClock(now)
    return sandbox
  }
  let sandbox = startProcess(store, START)
  const cast = await createCast(sandbox)
  for (const [at, act] of script.entries()) {
    const interruption = interruptions.find((one) => one.at === at)
    // `subscribe` makes several calls: a repetition after an interruption between them would repeat the first.
    if (interruption === undefined || act.act === 'subscribe') {
      await outcomeOf(perform(sandbox, cast, act))
      await sandbox.advance(0)
      continue
    }
    const interrupted = startProcess(failAfter(store, interruption.transactions), sandbox.now())
    const before = await store.newestSequence()
    const end = await outcomeOf(perform(interrupted, cast, act))
    const isDone = (await store.newestSequence()) > before || act.act === 'wait'
    await store.close()
    sandbox = startProcess(store, interrupted.now())
    await resumeInterruptedClocks(sandbox.runtime)
    await sandbox.advance(0)
    if (end === 'ended' && !isDone) await outcomeOf(perform(sandbox, cast, act))
    await sandbox.advance(0)
  }
  return sandbox
}

test('a run with interrupted transactions creates the same history as an uninterrupted run', async () => {
  await fc.assert(
    fc.asyncProperty(interruptedRuns, async (given) => {
      const { dunning, script } = given.run
      const steady = createSandbox({ dunning })
      await executeRun(steady, script)
      const revived = await readSnapshot(await executeInterrupted(given))
      assertInvariants(revived)
      assertSameHistory(normalizeSnapshot(revived), normalizeSnapshot(await readSnapshot(steady)))
    }),
    runCount(40),
  )
})

/** Concurrent operations. Time passes only between the groups. */
const groups = fc.array(
  fc.record({
    acts: fc.array(
      randomOperations.filter(({ act }) => act !== 'wait'),
      { minLength: 1, maxLength: 10 },
    ),
    pause: fc.constantFrom(0, 3, 3600, DAY, 7 * DAY, 31 * DAY),
  }),
  { minLength: 1, maxLength: 15, size: 'max' },
)

test('every invariant holds with concurrent operations', async () => {
  await fc.assert(
    fc.asyncProperty(dunnings, groups, async (dunning, script) => {
      const sandbox = createSandbox({ dunning })
      const cast = await createCast(sandbox)
      for (const group of script) {
        await Promise.all(group.acts.map((act) => outcomeOf(perform(sandbox, cast, act))))
        await sandbox.advance(group.pause)
        assertInvariants(await readSnapshot(sandbox))
      }
    }),
    runCount(40),
  )
})

test.run()
