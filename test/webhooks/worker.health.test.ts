import type { SendResult } from '../../src/webhooks/send.ts'
import { assert, suite } from '../support/suite.ts'
import { createResult, deliverDue, FAILED_RESULT, Outbox, openOutbox } from './outbox.ts'

const test = suite('webhooks/worker: health')

const LOCAL = 'http://127.0.0.1:3000/hook'
const REMOTE = 'http://a.test/hook'
const DAY = 86_400
const refused = createResult({ http_status: null, error: 'refused', response_body: null })

async function sendAll(outbox: Outbox, result: SendResult, schedule = [0]): Promise<number> {
  const before = outbox.attempts.length
  const worker = outbox.worker(async () => result, { schedule })
  await deliverDue(worker)
  return outbox.attempts.length - before
}

test('disables an endpoint after 100 consecutive failures and skips its pending deliveries', async () => {
  const { outbox, endpoint } = await openOutbox(REMOTE, { count: 120 })
  assert.is(await sendAll(outbox, FAILED_RESULT), 100)
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

test('a success resets the failure count', async () => {
  const { outbox, endpoint } = await openOutbox(REMOTE, { count: 99 })
  await sendAll(outbox, FAILED_RESULT)
  await outbox.emit()
  await sendAll(outbox, createResult())
  assert.is(await outbox.store.get('webhook_health', endpoint), null)
  await outbox.emit(99)
  await sendAll(outbox, FAILED_RESULT)
  assert.is((await outbox.endpoint(endpoint))?.status, 'enabled')
  assert.is((await outbox.store.get('webhook_health', endpoint))?.failures, 99)
})

test('disables an endpoint after exactly five days of failures', async () => {
  const { outbox, endpoint } = await openOutbox(REMOTE)
  await sendAll(outbox, FAILED_RESULT)
  outbox.now += 5 * DAY - 1
  await outbox.emit()
  await sendAll(outbox, FAILED_RESULT)
  assert.is((await outbox.endpoint(endpoint))?.status, 'enabled')
  outbox.now += 1
  await outbox.emit()
  await sendAll(outbox, FAILED_RESULT)
  assert.is((await outbox.endpoint(endpoint))?.disabled_reason, 'failing')
})

test('never disables the endpoint of a stopped handler on this machine', async () => {
  const { outbox, endpoint } = await openOutbox(LOCAL, { count: 150 })
  assert.is(await sendAll(outbox, refused), 150)
  outbox.now += 6 * DAY
  await outbox.emit()
  await sendAll(outbox, refused)
  assert.is((await outbox.endpoint(endpoint))?.status, 'enabled')
  assert.is(await outbox.store.get('webhook_health', endpoint), null)
})

test('disables an endpoint on another machine that refuses connections', async () => {
  const { outbox, endpoint } = await openOutbox(REMOTE, { count: 100 })
  await sendAll(outbox, refused)
  assert.is((await outbox.endpoint(endpoint))?.status, 'disabled')
})

test('never disables a listener endpoint, and does not affect other endpoints', async () => {
  const outbox = new Outbox()
  const listener = await outbox.addEndpoint(REMOTE)
  const other = await outbox.addEndpoint(`${REMOTE}/other`)
  await outbox.emit(150)
  const worker = outbox.worker(async () => createResult({ http_status: 410, error: 'http_status' }), {
    schedule: [0],
    isNeverDisabled: ({ id }) => id === listener,
  })
  await deliverDue(worker)
  assert.is((await outbox.deliveries({ webhook_endpoint: listener, status: 'failed' })).length, 150)
  assert.equal(
    await Promise.all([listener, other].map(async (id) => (await outbox.endpoint(id))?.disabled_reason)),
    [null, 'gone'],
  )
  assert.is(await outbox.store.get('webhook_health', listener), null)
})

test('records events of a disabled endpoint as skipped', async () => {
  const outbox = new Outbox()
  const endpoint = await outbox.addEndpoint(REMOTE)
  await outbox.updateEndpoint(endpoint, { status: 'disabled', disabled_reason: 'api' })
  const [event] = await outbox.emit()
  assert.is(event?.pending_webhooks, 0)
  assert.is(await sendAll(outbox, createResult()), 0)
  assert.equal(
    (await outbox.deliveries()).map((row) => [row.event, row.status, row.next_attempt_at]),
    [[event?.id, 'skipped', null]],
  )
})

test.run()
