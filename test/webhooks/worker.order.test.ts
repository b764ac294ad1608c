import type { Store } from '../../src/store/port/store.ts'
import type { DeliveryRequest } from '../../src/webhooks/delivery-request.ts'
import { assert, suite } from '../support/suite.ts'
import { createResult, deliverDue, FAILED_RESULT, gate, Outbox, openOutbox } from './outbox.ts'

const test = suite('webhooks/worker: order')

const URL = 'http://a.test/hook'

const idOf = ({ headers }: DeliveryRequest) => headers['webhook-id']

test('sends first attempts one at a time in the order of the events', async () => {
  const outbox = new Outbox()
  await outbox.addEndpoint(URL)
  await outbox.addEndpoint('http://b.test/hook')
  const events = await outbox.emit(1200)
  const sent = new Map<string, unknown[]>()
  const inFlight = new Map<string, number>()
  let most = 0
  const worker = outbox.worker(async (request) => {
    const count = (inFlight.get(request.url) ?? 0) + 1
    inFlight.set(request.url, count)
    most = Math.max(most, count)
    sent.set(request.url, [...(sent.get(request.url) ?? []), idOf(request)])
    await Promise.resolve()
    inFlight.set(request.url, count - 1)
    return createResult()
  })
  await Promise.all(Array.from({ length: 20 }, () => worker.tick()))
  await worker.idle()
  const expected = events.map(({ id }) => id)
  assert.equal([...sent.values()], [expected, expected])
  assert.is(most, 1)
})

test('a failed first attempt does not delay later events', async () => {
  const { outbox, events } = await openOutbox(URL, { count: 3 })
  const sent: unknown[] = []
  const worker = outbox.worker(async (request) => {
    sent.push(idOf(request))
    return FAILED_RESULT
  })
  await deliverDue(worker)
  assert.equal(
    sent,
    events.map(({ id }) => id),
  )
})

test('sends first attempts before retries that were due earlier', async () => {
  const { outbox, events: old } = await openOutbox(URL, { count: 2 })
  let isBroken = true
  const sent: unknown[] = []
  const worker = outbox.worker(async (request) => {
    sent.push(idOf(request))
    return isBroken ? FAILED_RESULT : createResult()
  })
  await deliverDue(worker)
  isBroken = false
  outbox.now += 3600
  const fresh = await outbox.emit(2)
  sent.length = 0
  await deliverDue(worker)
  assert.equal(
    sent,
    [...fresh, ...old].map(({ id }) => id),
  )
})

test('sends an event added during an attempt without another tick', async () => {
  const { outbox } = await openOutbox(URL)
  let isFirst = true
  const worker = outbox.worker(async () => {
    if (isFirst) {
      isFirst = false
      await outbox.emit()
      await worker.tick()
    }
    return createResult()
  })
  await deliverDue(worker)
  assert.is(outbox.attempts.length, 2)
})

test('sends the next event before the last attempt is stored, with at most 64 unrecorded attempts', async () => {
  const { outbox } = await openOutbox(URL, { count: 70 })
  const disk = gate()
  const slow: Store = {
    ...outbox.store,
    async transact(work) {
      await disk.opened
      return outbox.store.transact(work)
    },
  }
  const sent: unknown[] = []
  const reached = gate()
  const worker = outbox.worker(
    async (request) => {
      sent.push(idOf(request))
      if (sent.length === 64) reached.open()
      return createResult()
    },
    { store: slow },
  )
  await worker.tick()
  await reached.opened
  await new Promise((resolve) => setImmediate(resolve))
  assert.is(sent.length, 64)
  disk.open()
  await worker.idle()
  assert.is(new Set(sent).size, 70)
  assert.is(sent.length, 70)
  assert.is((await outbox.deliveries({ status: 'succeeded' })).length, 70)
})

test('records a failure before it sends the next event', async () => {
  const { outbox } = await openOutbox(URL, { count: 3 })
  let sent = 0
  const worker = outbox.worker(async () => {
    sent += 1
    return createResult({ http_status: 410, error: 'http_status' })
  })
  await deliverDue(worker)
  assert.is(sent, 1)
})

test('sends an event whose tick arrives while the queue becomes empty', async () => {
  const { outbox } = await openOutbox(URL)
  let isLate = true
  const store: Store = {
    ...outbox.store,
    async listDue(queue, until, limit) {
      const due = await outbox.store.listDue(queue, until, limit)
      if (due.length === 0 && isLate) {
        isLate = false
        await outbox.emit()
        await worker.tick()
      }
      return due
    },
  }
  const worker = outbox.worker(async () => createResult(), { store })
  await deliverDue(worker)
  assert.is(outbox.attempts.length, 2)
})

test('tick() does not wait for endpoints, and a stalled endpoint delays no other endpoint', async () => {
  const outbox = new Outbox()
  await outbox.addEndpoint(URL)
  // The worker starts the newest endpoint first.
  await outbox.addEndpoint('http://hangs.test/')
  await outbox.emit(5)
  const silence = gate()
  const sent: string[] = []
  const all = gate()
  const worker = outbox.worker(async ({ url }) => {
    sent.push(url)
    if (url !== URL) await silence.opened
    else if (sent.filter((each) => each === URL).length === 5) all.open()
    return createResult()
  })
  await worker.tick()
  await worker.tick()
  await all.opened
  assert.is(sent.filter((url) => url !== URL).length, 1, 'one attempt at a time')
  silence.open()
  await worker.idle()
  assert.is(sent.length, 10)
})

test('a restarted process continues pending deliveries and retries', async () => {
  const { outbox, events } = await openOutbox(URL, { count: 2 })
  const before = outbox.worker(async (request) =>
    idOf(request) === events[0]?.id ? FAILED_RESULT : createResult(),
  )
  await deliverDue(before)
  before.stop()
  await outbox.emit()
  const after = outbox.worker(async () => createResult())
  await outbox.runOut(after)
  const rows = (await outbox.deliveries()).map(({ event, attempt, status }) => [event, attempt, status])
  const third = rows.at(-1)?.[0]
  assert.equal(rows, [
    [events[0]?.id, 1, 'failed'],
    [events[1]?.id, 1, 'succeeded'],
    [events[0]?.id, 2, 'succeeded'],
    [third, 1, 'succeeded'],
  ])
})

test.run()
