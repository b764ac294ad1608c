import { api } from '../../../src/api/api.ts'
import { createClient } from '../../../src/client/client.ts'
import { openDaemon, type TestDaemon } from '../../support/daemon.ts'
import { errorIn, postJson } from '../../support/raw-http.ts'
import { assert, suite } from '../../support/suite.ts'

const DAY = 86_400

const test = suite<{ daemon: TestDaemon }>('daemon/sandbox-manager clock jumps')

test.before.each(async (context) => {
  context.daemon = await openDaemon()
})

test.after.each(({ daemon }) => daemon.stop())

/** Creates a sandbox that contains a customer and expires in ten days. */
async function createExpiring(daemon: TestDaemon) {
  const { id, api_key } = await daemon.call(api.sandboxes.create, {
    expires_at: daemon.clock.now() + 10 * DAY,
  })
  const { call } = createClient({ apiBase: daemon.location.api_url, apiKey: api_key })
  await call(api.customers.create, { email: 'ada@example.com' })
  await daemon.tick()
  const moveClock = async (seconds: number) => {
    daemon.clock.move(seconds)
    await daemon.tick()
  }
  const errorCode = async () => {
    const response = await postJson(`${daemon.location.api_url}/v1/customers`, api_key, {})
    assert.is(response.status, 401)
    return errorIn(response)['code']
  }
  const countCustomers = async () => (await call(api.customers.list, {})).data.length
  return { id, moveClock, errorCode, countCustomers }
}

test('an expired sandbox is usable again when the clock jumps back to before its expiry', async ({
  daemon,
}) => {
  const { moveClock, errorCode, countCustomers } = await createExpiring(daemon)
  await moveClock(40 * DAY)
  assert.is(await errorCode(), 'sandbox_expired')
  await moveClock(-40 * DAY)
  assert.is(await countCustomers(), 1)
})

test('a sandbox that expired after a clock jump is usable again when its expiry is postponed', async ({
  daemon,
}) => {
  const { id, moveClock, countCustomers } = await createExpiring(daemon)
  await moveClock(40 * DAY)
  await daemon.call(api.sandboxes.update, { id, expires_at: daemon.clock.now() + DAY })
  assert.is(await countCustomers(), 1)
})

test('deletes the contents of an expired sandbox when a clock jump has lasted for a day', async ({
  daemon,
}) => {
  const { id, moveClock, errorCode } = await createExpiring(daemon)
  await moveClock(40 * DAY)
  assert.is((await daemon.call(api.sandboxes.retrieve, { id })).status, 'active')
  await moveClock(DAY)
  assert.is(await errorCode(), 'sandbox_expired')
  const { status, objects } = await daemon.call(api.sandboxes.retrieve, { id })
  assert.equal([status, objects], ['expired', 0])
})

test('a sandbox that was created after a clock jump expires on time', async ({ daemon }) => {
  await daemon.tick()
  daemon.clock.move(3 * DAY)
  await daemon.tick()
  const { id } = await daemon.call(api.sandboxes.create, { expires_at: daemon.clock.now() + 60 })
  daemon.clock.move(60)
  await daemon.tick()
  assert.is((await daemon.call(api.sandboxes.retrieve, { id })).status, 'expired')
})

test.run()
