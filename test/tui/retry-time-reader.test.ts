import { createRetryTimeReader } from '../../src/tui/retry-time-reader.ts'
import { getRetryMapKey } from '../../src/tui/screen-state.ts'
import { assert, suite } from '../support/suite.ts'
import { deliveryOf, FAILURE, settled } from './test-screen.ts'

const test = suite('tui/retry-reader')

const pendingOf = (event: string, attempt: number) => ({
  ...{ event, webhook_endpoint: 'we_1', attempt, next_attempt_at: 100 + attempt },
})

/** Creates a reader that finds these pending attempts, and counts its requests. */
function createTestReader(pending: readonly object[]) {
  const calls = { reads: 0, errors: 0, isFailing: false }
  const reader = createRetryTimeReader({
    async read() {
      calls.reads += 1
      if (calls.isFailing) throw new Error('No.')
      return pending as never
    },
    onChange: () => {},
    onError: () => {
      calls.errors += 1
    },
  })
  return { reader, calls }
}

test('reads the time of the next attempt until it is available, at most three seconds after a failure', async () => {
  const { reader, calls } = createTestReader([pendingOf('evt_1', 2), pendingOf('evt_2', 1)])
  reader.poll(0)
  assert.is(calls.reads, 0)
  reader.handleDelivery(deliveryOf(1), 0)
  reader.poll(0)
  assert.is(calls.reads, 0)
  reader.handleDelivery(deliveryOf(1, FAILURE), 0)
  const readsAfter = async (...times: readonly number[]) => {
    for (const ms of times) {
      reader.poll(ms)
      reader.poll(ms)
      await settled()
    }
    return calls.reads
  }
  assert.is(await readsAfter(0, 1000, 2000), 1)
  reader.handleDelivery(deliveryOf(1, { ...FAILURE, attempt: 2 }), 3000)
  assert.is(await readsAfter(3000, 5999, 6000, 7000), 3)
  assert.equal([...reader.times()], [[getRetryMapKey('evt_1', 'we_1'), 102]])
  reader.handleDelivery(deliveryOf(1), 8000)
  assert.is(reader.times().size, 0)
})

test('sends no request after an error until the next failed delivery', async () => {
  const { reader, calls } = createTestReader([])
  calls.isFailing = true
  reader.handleDelivery(deliveryOf(1, FAILURE), 0)
  for (const ms of [0, 1000]) {
    reader.poll(ms)
    await settled()
  }
  assert.equal([calls.reads, calls.errors], [1, 1])
  reader.handleDelivery(deliveryOf(1, FAILURE), 2000)
  reader.poll(2000)
  await settled()
  assert.equal([calls.reads, calls.errors], [2, 2])
})

test.run()
