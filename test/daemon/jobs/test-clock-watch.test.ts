import { api } from '../../../src/api/api.ts'
import { startTestClockWatch } from '../../../src/daemon/jobs/test-clock-watch.ts'
import type { TestClock } from '../../../src/domain/time/test-clocks.ts'
import { finishClockAdvance } from '../../../src/engine/clocks.ts'
import { createMemoryStore } from '../../../src/store/memory/memory-store.ts'
import { createClock, interruptAdvance, interruptDeletion, newCustomerOnClock } from '../../support/clocks.ts'
import { createSandbox, DAY, type Sandbox, START } from '../../support/sandbox.ts'
import { assert, suite } from '../../support/suite.ts'
import { createFakeCoordinator } from '../fake-coordinator.ts'

const CHECK_INTERVAL_MS = 2000
const TARGET = START + DAY

const test = suite('daemon/test-clock-watch')

/** Creates a sandbox with a shared store and a function that starts the watch. */
function setUp({ isShared = true } = {}) {
  const coordinator = createFakeCoordinator()
  const sandbox = createSandbox({ store: createMemoryStore() })
  const store = isShared ? { ...sandbox.store, coordinator } : sandbox.store
  const runtime = { ...sandbox.runtime, store }
  const time = { ms: 0 }
  const errors: unknown[] = []
  const start = () =>
    startTestClockWatch(
      runtime,
      () => time.ms,
      (error) => errors.push(error),
    )
  return { sandbox, runtime, coordinator, time, errors, start }
}

/** Waits for background work; the memory store needs only turns of the event loop. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate)
}

const statusOf = async (sandbox: Sandbox, id: string) =>
  (await sandbox.store.get('test_clocks', id).then((clock) => clock && 'status' in clock && clock.status)) ||
  'deleted'

test('at startup, resumes the interrupted advances of test clocks when the store is not shared', async () => {
  const { sandbox, start, errors } = setUp({ isShared: false })
  const { id } = await createClock(sandbox)
  await interruptAdvance(sandbox, id, TARGET)
  const check = start()
  await settled()
  assert.is(await statusOf(sandbox, id), 'ready')
  await check()
  assert.equal(errors, [])
})

test('continues the interrupted advance of a test clock that no process advances', async () => {
  const { sandbox, coordinator, start } = setUp()
  const { id } = await createClock(sandbox)
  await interruptAdvance(sandbox, id, TARGET)
  const check = start()
  await settled()
  assert.is(await statusOf(sandbox, id), 'advancing', 'another process may be advancing it')
  await check()
  assert.equal(coordinator.calls, [`take clock:${id} 10`])
  await settled()
  assert.is(await statusOf(sandbox, id), 'ready')
  assert.is((await sandbox.call(api.testClocks.retrieve, { id })).frozen_time, TARGET)
})

test('finishes the interrupted deletion of a test clock', async () => {
  const { sandbox, start } = setUp()
  const { clock: id, customer } = await newCustomerOnClock(sandbox)
  await interruptDeletion(sandbox, id)
  await start()()
  await settled()
  assert.is(await statusOf(sandbox, id), 'deleted')
  assert.ok('deleted' in (await sandbox.call(api.customers.retrieve, { id: customer })))
})

test('does not take over a test clock of another process until that process releases the clock', async () => {
  const { sandbox, coordinator, time, start } = setUp()
  const { id } = await createClock(sandbox)
  await interruptAdvance(sandbox, id, TARGET)
  coordinator.elsewhere.add(`clock:${id}`)
  const check = start()
  for (let looks = 0; looks < 3; looks += 1) {
    await check()
    await settled()
    assert.is(await statusOf(sandbox, id), 'advancing')
    time.ms += CHECK_INTERVAL_MS
  }
  coordinator.elsewhere.clear()
  await check()
  await settled()
  assert.is(await statusOf(sandbox, id), 'ready')
})

test('leases a test clock while this process advances it', async () => {
  const { sandbox, runtime, coordinator, start } = setUp()
  const { id } = await createClock(sandbox)
  const check = start()
  await check()
  const begun = await interruptAdvance(sandbox, id, TARGET)
  const finishing = finishClockAdvance(runtime, begun)
  await check()
  assert.equal(coordinator.calls, [`take clock:${id} 10`])
  await finishing
  await check()
  assert.equal(coordinator.calls.slice(1), [`release clock:${id}`])
  assert.is(await statusOf(sandbox, id), 'ready')
})

test('keeps leased test clocks and takes over an equal share of other test clocks', async () => {
  const { sandbox, runtime, coordinator, start } = setUp()
  coordinator.processes = 3
  const begun: TestClock[] = []
  for (let count = 0; count < 6; count += 1) {
    begun.push(await interruptAdvance(sandbox, (await createClock(sandbox)).id, TARGET))
  }
  const [one, two, three, ...left] = begun
  const finishing = [one, two, three].map((clock) => clock && finishClockAdvance(runtime, clock))
  const check = start()
  await check()
  assert.equal(coordinator.calls, [
    `take ${[one, two, three].map((clock) => `clock:${clock?.id}`)} 10`,
    `take ${left.map(({ id }) => `clock:${id}`)} 10`,
  ])
  await Promise.all(finishing)
  await settled()
  const statuses = await Promise.all(left.map(({ id }) => statusOf(sandbox, id)))
  assert.equal(statuses.sort(), ['advancing', 'advancing', 'ready'])
})

test('checks for abandoned clocks every two seconds', async () => {
  const { sandbox, coordinator, time, start } = setUp()
  const check = start()
  await check()
  const { id } = await createClock(sandbox)
  await interruptAdvance(sandbox, id, TARGET)
  time.ms += CHECK_INTERVAL_MS - 1
  await check()
  assert.equal(coordinator.calls, [])
  time.ms += 1
  await check()
  assert.equal(coordinator.calls, [`take clock:${id} 10`])
})

test.run()
