import { createListenerPresence } from '../../../src/daemon/streams/listener-presence.ts'
import { assert, suite } from '../../support/suite.ts'
import { createFakeCoordinator } from '../fake-coordinator.ts'

/** Seconds until an endpoint without a listener is disabled. */
const LONG = 300

const test = suite('daemon/streams/listener-presence')

function setUp() {
  const coordinator = createFakeCoordinator()
  const time = { ms: 1000 }
  return { coordinator, time, presence: createListenerPresence(coordinator, () => time.ms) }
}

test('returns no listeners of other processes when the store is not shared', async () => {
  const presence = createListenerPresence(undefined, () => 0)
  await presence.announce(['we_1'])
  assert.equal(await presence.withoutListenerElsewhere(['we_1', 'we_2']), ['we_1', 'we_2'])
})

test('announces endpoints for five minutes, and renews the announcement after ten seconds', async () => {
  const { coordinator, time, presence } = setUp()
  await presence.announce(['we_1'])
  time.ms += 9999
  await presence.announce(['we_1'])
  assert.equal(coordinator.calls, [`announce we_1 ${LONG}`])
  time.ms += 1
  await presence.announce(['we_1'])
  assert.is(coordinator.calls.length, 2)
})

test('announces a new listener immediately, and a disconnected listener until it leaves', async () => {
  const { coordinator, presence } = setUp()
  await presence.announce(['we_1'])
  await presence.announce(['we_1', 'we_2'])
  await presence.announce(['we_2'])
  assert.equal(coordinator.calls.slice(1), [`announce we_1,we_2 ${LONG}`], 'it may reconnect')
  await presence.withdraw(['we_1'])
  assert.is(coordinator.calls.at(-1), 'announce we_1 0')
  await presence.announce(['we_1', 'we_2'])
  assert.is(coordinator.calls.at(-1), `announce we_1,we_2 ${LONG}`, 'back again')
})

test('retries a failed announcement on the next call', async () => {
  const { coordinator, presence } = setUp()
  coordinator.failure = new Error('the store is unavailable')
  assert.match(String(await presence.announce(['we_1']).catch((error: unknown) => error)), 'is unavailable')
  coordinator.failure = null
  await presence.announce(['we_1'])
  assert.is(coordinator.calls.length, 2)
  assert.is(coordinator.calls[1], `announce we_1 ${LONG}`)
})

test('sends announcements regularly even without listeners, so that change notifications continue', async () => {
  const { coordinator, time, presence } = setUp()
  await presence.announce([])
  time.ms += 10_000
  await presence.announce([])
  assert.equal(coordinator.calls, [`announce  ${LONG}`, `announce  ${LONG}`])
})

test('returns the endpoints without a listener in another process, without a query for an empty list', async () => {
  const { coordinator, presence } = setUp()
  coordinator.elsewhere.add('we_2')
  assert.equal(await presence.withoutListenerElsewhere(['we_1', 'we_2']), ['we_1'])
  assert.equal(await presence.withoutListenerElsewhere([]), [])
  assert.equal(coordinator.calls, ['announcedElsewhere we_1,we_2'])
})

test.run()
