import { api } from '../../src/api/index.ts'
import { startClockWatch } from '../../src/daemon/clock-watch.ts'
import type { TestClock } from '../../src/domain/test-clocks.ts'
import { finishAdvance } from '../../src/engine/clocks.ts'
import { createMemoryStore } from '../../src/store/memory/memory.ts'
import { customerOn, newClock, stopAmidAdvance, stopAmidDeletion } from '../support/clocks.ts'
import { createSandbox, DAY, type Sandbox, START } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'
import { createFakeSharing } from './fake-sharing.ts'

const LOOK_MS = 2000
const TARGET = START + DAY

const test = suite('daemon/clock-watch')

/** A sandbox at a store that others share, and a watch that looks when the test says so. */
function setUp({ isShared = true } = {}) {
  const sharing = createFakeSharing()
  const sandbox = createSandbox({ store: createMemoryStore() })
  const store = isShared ? { ...sandbox.store, sharing } : sandbox.store
  const runtime = { ...sandbox.runtime, store }
  const time = { ms: 0 }
  const errors: unknown[] = []
  const start = () =>
    startClockWatch(runtime, { monotonicMs: () => time.ms, onError: (error) => errors.push(error) })
  return { sandbox, runtime, sharing, time, errors, start }
}

/** Lets what was begun come to its end; in memory nothing waits for anything else. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate)
}

const statusOf = async (sandbox: Sandbox, id: string) =>
  (await sandbox.store.get('test_clocks', id).then((clock) => clock && 'status' in clock && clock.status)) ||
  'gone'

test('a process that is alone goes on at its start with what it left on its way', async () => {
  const { sandbox, start, errors } = setUp({ isShared: false })
  const { id } = await newClock(sandbox)
  await stopAmidAdvance(sandbox, id, TARGET)
  const watch = start()
  await settled()
  assert.is(await statusOf(sandbox, id), 'ready')
  await watch.look()
  assert.equal(errors, [])
})

test('a clock that nobody moves is moved on, to where it was to go', async () => {
  const { sandbox, sharing, start } = setUp()
  const { id } = await newClock(sandbox)
  await stopAmidAdvance(sandbox, id, TARGET)
  const watch = start()
  await settled()
  assert.is(await statusOf(sandbox, id), 'advancing', 'another process may be at it')
  await watch.look()
  assert.equal(sharing.asked, [`take clock:${id} 10`])
  await settled()
  assert.is(await statusOf(sandbox, id), 'ready')
  assert.is((await sandbox.call(api.testClocks.retrieve, { id })).frozen_time, TARGET)
})

test('a clock that was left amid its deletion is deleted', async () => {
  const { sandbox, start } = setUp()
  const { id } = await newClock(sandbox)
  const customer = await customerOn(sandbox, id)
  await stopAmidDeletion(sandbox, id)
  await start().look()
  await settled()
  assert.is(await statusOf(sandbox, id), 'gone')
  assert.ok('deleted' in (await sandbox.call(api.customers.retrieve, { id: customer })))
})

test('a clock that another process moves is left to it, until it lets go', async () => {
  const { sandbox, sharing, time, start } = setUp()
  const { id } = await newClock(sandbox)
  await stopAmidAdvance(sandbox, id, TARGET)
  sharing.elsewhere.add(`clock:${id}`)
  const watch = start()
  for (let looks = 0; looks < 3; looks += 1) {
    await watch.look()
    await settled()
    assert.is(await statusOf(sandbox, id), 'advancing')
    time.ms += LOOK_MS
  }
  sharing.elsewhere.clear()
  await watch.look()
  await settled()
  assert.is(await statusOf(sandbox, id), 'ready')
})

test('a clock that this process moves is claimed, and given back when it stands still', async () => {
  const { sandbox, runtime, sharing, start } = setUp()
  const { id } = await newClock(sandbox)
  const watch = start()
  await watch.look()
  const begun = await stopAmidAdvance(sandbox, id, TARGET)
  const finishing = finishAdvance(runtime, begun)
  await watch.look()
  assert.equal(sharing.asked, [`take clock:${id} 10`])
  await finishing
  await watch.look()
  assert.equal(sharing.asked.slice(1), [`release clock:${id}`])
  assert.is(await statusOf(sandbox, id), 'ready')
})

test('what this process moves is not shared out, and of what was left it takes its part', async () => {
  const { sandbox, runtime, sharing, start } = setUp()
  sharing.processes = 3
  const begun: TestClock[] = []
  for (let count = 0; count < 6; count += 1) {
    begun.push(await stopAmidAdvance(sandbox, (await newClock(sandbox)).id, TARGET))
  }
  const [one, two, three, ...left] = begun
  const finishing = [one, two, three].map((clock) => clock && finishAdvance(runtime, clock))
  const watch = start()
  await watch.look()
  assert.equal(sharing.asked, [
    `take ${[one, two, three].map((clock) => `clock:${clock?.id}`)} 10`,
    `take ${left.map(({ id }) => `clock:${id}`)} 10`,
  ])
  await Promise.all(finishing)
  await settled()
  const statuses = await Promise.all(left.map(({ id }) => statusOf(sandbox, id)))
  assert.equal(statuses.sort(), ['advancing', 'advancing', 'ready'])
})

test('clocks of others are looked for from time to time only', async () => {
  const { sandbox, sharing, time, start } = setUp()
  const watch = start()
  await watch.look()
  const { id } = await newClock(sandbox)
  await stopAmidAdvance(sandbox, id, TARGET)
  time.ms += LOOK_MS - 1
  await watch.look()
  assert.equal(sharing.asked, [])
  time.ms += 1
  await watch.look()
  assert.equal(sharing.asked, [`take clock:${id} 10`])
})

test.run()
