import { DEFAULT_SCHEDULE } from '../../src/webhooks/schedule.ts'
import type { SendResult } from '../../src/webhooks/send.ts'
import { assert, suite } from '../support/suite.ts'
import { answer, broken, Outbox } from './outbox.ts'

const test = suite('webhooks/worker: health')

const LOCAL = 'http://127.0.0.1:3000/hook'
const REMOTE = 'http://a.test/hook'
const DAY = 86_400
const refused = answer({ http_status: null, error: 'refused', response_body: null })

async function sendAll(outbox: Outbox, result: SendResult, schedule = [0]): Promise<number> {
  const before = outbox.attempts.length
  const worker = outbox.worker(async () => result, { schedule })
  await worker.tick()
  await worker.idle()
  return outbox.attempts.length - before
}

test('a hundred failures in a row disable an endpoint, and what else waits is skipped', async () => {
  const outbox = new Outbox()
  const endpoint = await outbox.addEndpoint(REMOTE)
  await outbox.emit(120)
  assert.is(await sendAll(outbox, broken), 100)
  const { status, disabled_reason } = (await outbox.endpoint(endpoint)) ?? {}
  assert.equal([status, disabled_reason], ['disabled', 'failing'])
  assert.is((await outbox.deliveries({ status: 'skipped' })).length, 20)
  assert.is((await outbox.deliveries({ status: 'pending' })).length, 0)
  assert.equal(
    outbox.disabled.map(({ id }) => id),
    [endpoint],
  )
  assert.is(await outbox.store.get('webhook_health', endpoint), null)
})

test('one success in between begins the count anew', async () => {
  const outbox = new Outbox()
  const endpoint = await outbox.addEndpoint(REMOTE)
  await outbox.emit(99)
  await sendAll(outbox, broken)
  await outbox.emit()
  await sendAll(outbox, answer())
  assert.is(await outbox.store.get('webhook_health', endpoint), null)
  await outbox.emit(99)
  await sendAll(outbox, broken)
  assert.is((await outbox.endpoint(endpoint))?.status, 'enabled')
  assert.is((await outbox.store.get('webhook_health', endpoint))?.failures, 99)
})

test('five days of nothing but failures disable an endpoint, a moment less does not', async () => {
  const outbox = new Outbox()
  const endpoint = await outbox.addEndpoint(REMOTE)
  await outbox.emit()
  await sendAll(outbox, broken)
  outbox.now += 5 * DAY - 1
  await outbox.emit()
  await sendAll(outbox, broken)
  assert.is((await outbox.endpoint(endpoint))?.status, 'enabled')
  outbox.now += 1
  await outbox.emit()
  await sendAll(outbox, broken)
  assert.is((await outbox.endpoint(endpoint))?.disabled_reason, 'failing')
})

test('a handler of this machine that is not running is never given up', async () => {
  const outbox = new Outbox()
  const endpoint = await outbox.addEndpoint(LOCAL)
  await outbox.emit(150)
  assert.is(await sendAll(outbox, refused), 150)
  outbox.now += 6 * DAY
  await outbox.emit()
  await sendAll(outbox, refused)
  assert.is((await outbox.endpoint(endpoint))?.status, 'enabled')
  assert.is(await outbox.store.get('webhook_health', endpoint), null)
})

test('one of another machine that refuses connections is', async () => {
  const outbox = new Outbox()
  const endpoint = await outbox.addEndpoint(REMOTE)
  await outbox.emit(100)
  await sendAll(outbox, refused)
  assert.is((await outbox.endpoint(endpoint))?.status, 'disabled')
})

test('one that is spared is never given up, and what it answers disables no other', async () => {
  const outbox = new Outbox()
  const spared = await outbox.addEndpoint(REMOTE)
  const other = await outbox.addEndpoint(`${REMOTE}/other`)
  await outbox.emit(150)
  const worker = outbox.worker(async () => answer({ http_status: 410, error: 'http_status' }), {
    schedule: [0],
    isSpared: ({ id }) => id === spared,
  })
  await worker.tick()
  await worker.idle()
  assert.is((await outbox.deliveries({ webhook_endpoint: spared, status: 'failed' })).length, 150)
  assert.equal(
    await Promise.all([spared, other].map(async (id) => (await outbox.endpoint(id))?.disabled_reason)),
    [null, 'gone'],
  )
  assert.is(await outbox.store.get('webhook_health', spared), null)
})

test('an exhausted schedule alone disables nothing', async () => {
  const outbox = new Outbox()
  const endpoint = await outbox.addEndpoint(REMOTE)
  await outbox.emit()
  await outbox.runOut(outbox.worker(async () => broken))
  assert.is(outbox.attempts.length, DEFAULT_SCHEDULE.length)
  assert.is((await outbox.endpoint(endpoint))?.status, 'enabled')
})

test('what happens while an endpoint is disabled is listed as skipped for it', async () => {
  const outbox = new Outbox()
  const endpoint = await outbox.addEndpoint(REMOTE)
  await outbox.updateEndpoint(endpoint, { status: 'disabled', disabled_reason: 'api' })
  const [event] = await outbox.emit()
  assert.is(event?.pending_webhooks, 0)
  assert.is(await sendAll(outbox, answer()), 0)
  assert.equal(
    (await outbox.deliveries()).map((row) => [row.event, row.status, row.next_attempt_at]),
    [[event?.id, 'skipped', null]],
  )
})

test.run()
