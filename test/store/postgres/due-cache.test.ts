import { createNextDueTimeCache } from '../../../src/store/postgres/due-cache.ts'
import { assert, suite } from '../../support/suite.ts'
import { customer } from '../fixture.ts'

const test = suite('store/due-cache')

/** Creates a cache over a fake listDue that logs each call. */
function setUp() {
  const calls: string[] = []
  const fake: {
    due: readonly ReturnType<typeof customer>[]
    next: number | null
    onRead: () => void
    isListening: boolean
  } = {
    due: [],
    next: null,
    onRead: () => {},
    isListening: true,
  }
  const readDue = async (queue: string, until: number) => {
    calls.push(`${queue} ${until}`)
    fake.onRead()
    return fake.due
  }
  const readNext = async () => {
    calls.push('next')
    fake.onRead()
    return fake.next
  }
  const store = { listDue: readDue as never, nextDeadline: readNext }
  return { calls, fake, ...createNextDueTimeCache(store, () => fake.isListening) }
}

test('caches an empty result per queue, also for earlier times', async () => {
  const { calls, listDue } = setUp()
  for (const until of [5, 5, 4, 6, 6]) assert.equal(await listDue('a', until, 1), [])
  await listDue('b', 5, 1)
  assert.equal(calls, ['a 5', 'a 6', 'b 5'])
})

test('does not cache due records', async () => {
  const { calls, fake, listDue } = setUp()
  fake.due = [customer('cus_1')]
  for (let time = 0; time < 2; time += 1) assert.is((await listDue('a', 5, 1)).length, 1)
  assert.is(calls.length, 2)
})

test('invalidate clears the cache of all queues', async () => {
  const { calls, listDue, invalidate } = setUp()
  for (const queue of ['a', 'b']) await listDue(queue, 5, 1)
  invalidate()
  for (const queue of ['a', 'b']) await listDue(queue, 5, 1)
  assert.is(calls.length, 4)
})

test('does not cache a result when the store changed during the read', async () => {
  const { calls, fake, listDue, invalidate } = setUp()
  fake.onRead = invalidate
  await listDue('a', 5, 1)
  fake.onRead = () => {}
  await listDue('a', 5, 1)
  await listDue('a', 5, 1)
  assert.is(calls.length, 2)
})

test('does not use the cache while isListening returns false', async () => {
  const { calls, fake, listDue } = setUp()
  await listDue('a', 5, 1)
  fake.isListening = false
  await listDue('a', 5, 1)
  assert.is(calls.length, 2)
})

test('reads no queue of real time before the next deadline', async () => {
  const { calls, fake, listDue, nextDeadline } = setUp()
  fake.next = 10
  assert.is(await nextDeadline(), 10)
  for (const queue of ['a', 'b']) assert.equal(await listDue(queue, 9, 1), [])
  assert.is(await nextDeadline(), 10)
  assert.equal(calls, ['next'])
  await listDue('a', 10, 1)
  assert.equal(calls, ['next', 'a 10'])
})

test('reads the next deadline again after its time', async () => {
  const { calls, fake, listDue, nextDeadline } = setUp()
  fake.next = 10
  await nextDeadline()
  await listDue('a', 10, 1)
  fake.next = 30
  assert.is(await nextDeadline(), 30)
  assert.equal(calls, ['next', 'a 10', 'next'])
})

test('does not use a cached next deadline after a change, or while isListening returns false', async () => {
  const { calls, fake, nextDeadline, invalidate } = setUp()
  fake.onRead = invalidate
  await nextDeadline()
  fake.onRead = () => {}
  await nextDeadline()
  await nextDeadline()
  invalidate()
  await nextDeadline()
  fake.isListening = false
  await nextDeadline()
  assert.is(calls.length, 4)
})

test('always reads the queues of test clocks', async () => {
  const { calls, listDue, nextDeadline } = setUp()
  await nextDeadline()
  for (let time = 0; time < 2; time += 1) await listDue('clock:a', 5, 1)
  assert.equal(calls, ['next', 'clock:a 5', 'clock:a 5'])
})

test('limits the number of cached queues and returns correct results for all', async () => {
  const { calls, listDue } = setUp()
  const queues = Array.from({ length: 2250 }, (_, number) => `queue-${number}`)
  for (const queue of queues) assert.equal(await listDue(queue, 5, 1), [])
  assert.is(calls.length, queues.length)
  await listDue('queue-2249', 5, 1)
  assert.is(calls.length, queues.length)
  await listDue('queue-0', 5, 1)
  assert.is(calls.length, queues.length + 1)
})

test.run()
