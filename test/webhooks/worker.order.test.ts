import type { Store } from '../../src/store/port/store.ts'
import type { DeliveryRequest } from '../../src/webhooks/request.ts'
import { assert, suite } from '../support/suite.ts'
import { answer, broken, gate, Outbox } from './outbox.ts'

const test = suite('webhooks/worker: order')

const URL = 'http://a.test/hook'

const idOf = ({ headers }: DeliveryRequest) => headers['webhook-id']

test('first attempts leave one by one, in the order of the events, however many there are', async () => {
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
    return answer()
  })
  await Promise.all(Array.from({ length: 20 }, () => worker.tick()))
  await worker.idle()
  const expected = events.map(({ id }) => id)
  assert.equal([...sent.values()], [expected, expected])
  assert.is(most, 1)
})

test('a failed first attempt does not hold up the events behind it', async () => {
  const outbox = new Outbox()
  await outbox.addEndpoint(URL)
  const events = await outbox.emit(3)
  const sent: unknown[] = []
  const worker = outbox.worker(async (request) => {
    sent.push(idOf(request))
    return broken
  })
  await worker.tick()
  await worker.idle()
  assert.equal(
    sent,
    events.map(({ id }) => id),
  )
})

test('a first attempt goes before retries that were due earlier', async () => {
  const outbox = new Outbox()
  await outbox.addEndpoint(URL)
  const old = await outbox.emit(2)
  let isBroken = true
  const sent: unknown[] = []
  const worker = outbox.worker(async (request) => {
    sent.push(idOf(request))
    return isBroken ? broken : answer()
  })
  await worker.tick()
  await worker.idle()
  isBroken = false
  outbox.now += 3600
  const fresh = await outbox.emit(2)
  sent.length = 0
  await worker.tick()
  await worker.idle()
  assert.equal(
    sent,
    [...fresh, ...old].map(({ id }) => id),
  )
})

test('an event that comes while another is being sent follows it without waiting for a later tick', async () => {
  const outbox = new Outbox()
  await outbox.addEndpoint(URL)
  await outbox.emit()
  let isFirst = true
  const worker = outbox.worker(async () => {
    if (isFirst) {
      isFirst = false
      await outbox.emit()
      await worker.tick()
    }
    return answer()
  })
  await worker.tick()
  await worker.idle()
  assert.is(outbox.attempts.length, 2)
})

test('the next event does not wait until the last one is on disk, and no more than 64 are unrecorded', async () => {
  const outbox = new Outbox()
  await outbox.addEndpoint(URL)
  await outbox.emit(70)
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
      return answer()
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

test('after a failure nothing is sent until it is recorded: it may have been the last', async () => {
  const outbox = new Outbox()
  await outbox.addEndpoint(URL)
  await outbox.emit(3)
  let sent = 0
  const worker = outbox.worker(async () => {
    sent += 1
    return answer({ http_status: 410, error: 'http_status' })
  })
  await worker.tick()
  await worker.idle()
  assert.is(sent, 1)
})

test('an event whose kick comes just as the loop ends is not left behind', async () => {
  const outbox = new Outbox()
  await outbox.addEndpoint(URL)
  await outbox.emit()
  let isLate = true
  const store: Store = {
    ...outbox.store,
    async due(queue, until, limit) {
      const due = await outbox.store.due(queue, until, limit)
      if (due.length === 0 && isLate) {
        isLate = false
        await outbox.emit()
        await worker.tick()
      }
      return due
    },
  }
  const worker = outbox.worker(async () => answer(), { store })
  await worker.tick()
  await worker.idle()
  assert.is(outbox.attempts.length, 2)
})

test('tick does not wait for a receiver, and a hanging one holds up no other', async () => {
  const outbox = new Outbox()
  await outbox.addEndpoint(URL)
  // The newest endpoint is looked at first.
  await outbox.addEndpoint('http://hangs.test/')
  await outbox.emit(5)
  const silence = gate()
  const sent: string[] = []
  const all = gate()
  const worker = outbox.worker(async ({ url }) => {
    sent.push(url)
    if (url !== URL) await silence.opened
    else if (sent.filter((each) => each === URL).length === 5) all.open()
    return answer()
  })
  await worker.tick()
  await worker.tick()
  await all.opened
  assert.is(sent.filter((url) => url !== URL).length, 1, 'one loop only')
  silence.open()
  await worker.idle()
  assert.is(sent.length, 10)
})

test('a restarted process takes up what is pending, retries included', async () => {
  const outbox = new Outbox()
  await outbox.addEndpoint(URL)
  const events = await outbox.emit(2)
  const before = outbox.worker(async (request) => (idOf(request) === events[0]?.id ? broken : answer()))
  await before.tick()
  await before.idle()
  before.stop()
  await outbox.emit()
  const after = outbox.worker(async () => answer())
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
