import { createPresence } from '../../src/daemon/presence.ts'
import { assert, suite } from '../support/suite.ts'
import { createFakeSharing } from './fake-sharing.ts'

/** As long as an endpoint waits for a listener. */
const LONG = 300

const test = suite('daemon/presence')

function setUp() {
  const sharing = createFakeSharing()
  const time = { ms: 1000 }
  return { sharing, time, presence: createPresence(sharing, { monotonicMs: () => time.ms }) }
}

test('a process that is alone has no others', async () => {
  const presence = createPresence(undefined, { monotonicMs: () => 0 })
  await presence.keep(['we_1'])
  assert.equal(await presence.withoutOthers(['we_1', 'we_2']), ['we_1', 'we_2'])
})

test('endpoints are announced for as long as one waits for its listener, and again after ten seconds', async () => {
  const { sharing, time, presence } = setUp()
  await presence.keep(['we_1'])
  time.ms += 9999
  await presence.keep(['we_1'])
  assert.equal(sharing.asked, [`announce we_1 ${LONG}`])
  time.ms += 1
  await presence.keep(['we_1'])
  assert.is(sharing.asked.length, 2)
})

test('a new listener is announced at once, and one that is gone counts until it says that it left', async () => {
  const { sharing, presence } = setUp()
  await presence.keep(['we_1'])
  await presence.keep(['we_1', 'we_2'])
  await presence.keep(['we_2'])
  assert.equal(sharing.asked.slice(1), [`announce we_1,we_2 ${LONG}`], 'it may be on its way back')
  await presence.leave(['we_1'])
  assert.is(sharing.asked.at(-1), 'announce we_1 0')
  await presence.keep(['we_1', 'we_2'])
  assert.is(sharing.asked.at(-1), `announce we_1,we_2 ${LONG}`, 'back again')
})

test('what the store did not take is announced again at once', async () => {
  const { sharing, presence } = setUp()
  sharing.failure = new Error('the store went away')
  assert.match(String(await presence.keep(['we_1']).catch((error: unknown) => error)), 'went away')
  sharing.failure = null
  await presence.keep(['we_1'])
  assert.is(sharing.asked.length, 2)
  assert.is(sharing.asked[1], `announce we_1 ${LONG}`)
})

test('even without a listener the store is asked from time to time, so that it goes on hearing of changes', async () => {
  const { sharing, time, presence } = setUp()
  await presence.keep([])
  time.ms += 10_000
  await presence.keep([])
  assert.equal(sharing.asked, [`announce  ${LONG}`, `announce  ${LONG}`])
})

test('endpoints with a listener elsewhere are left out, and of none nobody is asked', async () => {
  const { sharing, presence } = setUp()
  sharing.elsewhere.add('we_2')
  assert.equal(await presence.withoutOthers(['we_1', 'we_2']), ['we_1'])
  assert.equal(await presence.withoutOthers([]), [])
  assert.equal(sharing.asked, ['announcedElsewhere we_1,we_2'])
})

test.run()
