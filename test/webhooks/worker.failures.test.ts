import type { WebhookDelivery } from '../../src/domain/events/webhook-deliveries.ts'
import type { Store } from '../../src/store/port/store.ts'
import type { DeliveryRequest } from '../../src/webhooks/delivery-request.ts'
import { assert, suite } from '../support/suite.ts'
import { createResult, deliverDue, FAILED_RESULT, gate, Outbox, openOutbox } from './outbox.ts'

const test = suite('webhooks/worker: failures')

const URL = 'http://a.test/hook'
const GONE = createResult({ http_status: 410, error: 'http_status' })

const idOf = ({ headers }: DeliveryRequest) => headers['webhook-id']

test('a 410 response disables the endpoint and skips its pending deliveries', async () => {
  const outbox = new Outbox()
  const gone = await outbox.addEndpoint(URL)
  const other = await outbox.addEndpoint('http://b.test/hook')
  await outbox.emit(250)
  let sent = 0
  const worker = outbox.worker(async ({ url }) => {
    if (url !== URL) return createResult()
    sent += 1
    return sent === 2 ? GONE : FAILED_RESULT
  })
  await deliverDue(worker)
  assert.is((await outbox.endpoint(gone))?.status, 'disabled')
  assert.is((await outbox.endpoint(gone))?.disabled_reason, 'gone')
  const rows = await outbox.deliveries({ webhook_endpoint: gone })
  const skipped = rows.filter(({ status }) => status === 'skipped')
  assert.is(skipped.length, 249)
  assert.ok(skipped.every(({ next_attempt_at }) => next_attempt_at === null))
  assert.equal(
    outbox.disabled.map(({ id, disabled_reason }) => [id, disabled_reason]),
    [[gone, 'gone']],
  )
  assert.equal(
    rows
      .filter(({ status }) => status === 'failed')
      .map(({ http_status, next_attempt_at }) => [http_status, next_attempt_at]),
    [
      [500, outbox.now + 5],
      [410, null],
    ],
  )
  assert.is((await outbox.endpoint(other))?.status, 'enabled')
  assert.is((await outbox.deliveries({ webhook_endpoint: other, status: 'succeeded' })).length, 250)
})

test('a 410 response from a former URL does not disable the endpoint, and the retry uses the current URL', async () => {
  const { outbox, endpoint } = await openOutbox(URL)
  const sent: string[] = []
  const worker = outbox.worker(async ({ url }) => {
    sent.push(url)
    if (url !== URL) return createResult()
    await outbox.updateEndpoint(endpoint, { url: 'http://new.test/hook' })
    return GONE
  })
  await outbox.runOut(worker)
  assert.equal(sent, [URL, 'http://new.test/hook'])
  assert.is((await outbox.endpoint(endpoint))?.status, 'enabled')
  assert.equal(
    (await outbox.deliveries()).map(({ url }) => url),
    sent,
  )
})

test('a disabled endpoint keeps its pending deliveries until it is enabled', async () => {
  const { outbox, endpoint } = await openOutbox(URL, { count: 3 })
  const worker = outbox.worker(async () => {
    await outbox.updateEndpoint(endpoint, { status: 'disabled', disabled_reason: 'api' })
    return FAILED_RESULT
  })
  await deliverDue(worker)
  assert.is(outbox.attempts.length, 1)
  outbox.now += 3600
  const pending = await outbox.deliveries({ status: 'pending' })
  assert.is(pending.length, 3)
  await deliverDue(worker)
  assert.equal(await outbox.deliveries({ status: 'pending' }), pending)
  await outbox.updateEndpoint(endpoint, { status: 'enabled', disabled_reason: null })
  await outbox.runOut(outbox.worker(async () => createResult()))
  assert.is((await outbox.deliveries({ status: 'succeeded' })).length, 3)
})

test('records no attempt for a delivery that is deleted during the attempt', async () => {
  const { outbox } = await openOutbox(URL)
  const worker = outbox.worker(async () => {
    for (const delivery of await outbox.deliveries()) await outbox.remove(delivery)
    return FAILED_RESULT
  })
  await deliverDue(worker)
  assert.equal(await outbox.deliveries(), [])
  assert.equal(outbox.attempts, [])
  assert.equal(outbox.errors, [])
})

test('does not change a delivery that is settled during its attempt', async () => {
  const { outbox } = await openOutbox(URL)
  const worker = outbox.worker(async () => {
    for (const delivery of await outbox.deliveries()) {
      const settled: WebhookDelivery = { ...delivery, status: 'succeeded', next_attempt_at: null }
      await outbox.write({ put: settled })
    }
    return FAILED_RESULT
  })
  await deliverDue(worker)
  assert.equal(
    (await outbox.deliveries()).map(({ status, http_status }) => [status, http_status]),
    [['succeeded', null]],
  )
  assert.equal(outbox.attempts, [])
})

test('reports an unexpected error only once and continues with other deliveries', async () => {
  const outbox = new Outbox()
  const unsigned = await outbox.addEndpoint(URL)
  await outbox.addEndpoint('http://b.test/hook')
  const events = await outbox.emit(3)
  if (events[1]) await outbox.write({ remove: events[1] })
  const secret = await outbox.store.get('webhook_secrets', unsigned)
  const worker = outbox.worker(async () => createResult())
  await deliverDue(worker)
  await deliverDue(worker)
  assert.is(outbox.attempts.length, 4)
  assert.is(outbox.errors.length, 2)
  assert.match(String(outbox.errors[0]), /has no event/)
  if (secret) await outbox.write({ remove: secret })
  await outbox.emit()
  await deliverDue(worker)
  assert.is(outbox.attempts.length, 5)
  assert.is(outbox.errors.length, 3)
})

test('stores an attempt again after a failed write, without sending the delivery again', async () => {
  const { outbox } = await openOutbox(URL, { count: 2 })
  let failures = 3
  const failing: Store = {
    ...outbox.store,
    async transact(work) {
      if (failures === 0) return outbox.store.transact(work)
      failures -= 1
      throw new Error('the disk is full')
    },
  }
  const sent: unknown[] = []
  const send = async (request: DeliveryRequest) => {
    sent.push(idOf(request))
    return createResult()
  }
  const worker = outbox.worker(send, { store: failing })
  await deliverDue(worker)
  assert.is(outbox.errors.length, 1)
  const known = sent.length
  await outbox.emit()
  await deliverDue(worker)
  assert.is(outbox.errors.length, 2)
  assert.is(sent.length, known, 'nothing more is sent while the store fails')
  await deliverDue(worker)
  assert.is(new Set(sent).size, 3)
  assert.is(sent.length, 3)
  assert.is((await outbox.deliveries({ status: 'succeeded' })).length, 3)
})

test('tick() reports an unreadable store and does not reject', async () => {
  const outbox = new Outbox()
  const unreadable: Store = {
    ...outbox.store,
    list: () => Promise.reject(new Error('no store')),
  }
  const worker = outbox.worker(async () => createResult(), { store: unreadable })
  await deliverDue(worker)
  assert.match(String(outbox.errors[0]), /no store/)
})

test('stop() records attempts in flight, starts no further attempt, and does not settle aborted attempts', async () => {
  const outbox = new Outbox()
  await outbox.addEndpoint(URL)
  await outbox.addEndpoint('http://b.test/hook')
  await outbox.emit(3)
  const reached = [gate(), gate()]
  const silence = gate()
  const worker = outbox.worker(async ({ url }) => {
    reached[url === URL ? 0 : 1]?.open()
    await silence.opened
    if (url !== URL) throw new Error('the sender was closed')
    return createResult()
  })
  await worker.tick()
  await Promise.all(reached.map(({ opened }) => opened))
  worker.stop()
  silence.open()
  await worker.idle()
  await deliverDue(worker)
  assert.is(outbox.attempts.length, 1)
  assert.is((await outbox.deliveries({ status: 'pending' })).length, 5)
  assert.equal(outbox.errors, [])
})

test.run()
