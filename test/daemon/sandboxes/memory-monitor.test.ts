import { MemoryMonitor } from '../../../src/daemon/sandboxes/memory-monitor.ts'
import { MEGABYTE } from '../../../src/domain/sandboxes/sandbox-quotas.ts'
import { catchDomainError } from '../../support/catch-domain-error.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('daemon/sandboxes/memory-monitor')

function setUp(maxTotalBytes?: number) {
  const state = { used: 0, total: 0, loaded: 0 }
  const memory = new MemoryMonitor({
    readHeap: () => ({ used: state.used, limit: 1000 * MEGABYTE }),
    countBytes: () => state,
    maxTotalBytes,
  })
  const refusal = async () => (await catchDomainError(async () => memory.requireRoom())).message
  return { state, memory, refusal }
}

test('rejects growth while the heap is nearly used up, and accepts growth again afterwards', async () => {
  const { state, memory, refusal } = setUp()
  memory.requireRoom()
  state.used = 851 * MEGABYTE
  memory.sample()
  assert.match(await refusal(), 'it uses 851 of 1,000 MB of heap')
  state.used = 849 * MEGABYTE
  memory.sample()
  memory.requireRoom()
})

test('rejects growth when all sandboxes together have the maximum number of bytes', async () => {
  const { state, memory, refusal } = setUp(10 * MEGABYTE)
  state.total = 10 * MEGABYTE - 1
  memory.sample()
  memory.requireRoom()
  state.total += 1
  memory.sample()
  assert.match(await refusal(), 'its sandboxes have 10 MB, and --max-total-mb is 10')
})

test('rejects growth at most 32 writes after the heap has grown, without a call of sample()', () => {
  const { state, memory } = setUp()
  state.used = 900 * MEGABYTE
  let accepted = 0
  assert.throws(() => {
    for (; accepted <= 32; accepted += 1) memory.requireRoom()
  }, 'The server is full')
  assert.ok(accepted < 32)
})

test('has room for contents when the free heap is at least 2.5 times their size', () => {
  const { state, memory } = setUp()
  Object.assign(state, { used: 600 * MEGABYTE, loaded: 224 * MEGABYTE })
  assert.is(memory.hasRoomFor(100 * MEGABYTE), true)
  assert.is(memory.hasRoomFor(101 * MEGABYTE), false)
})

test('estimates the used heap from the data of the sandboxes when the heap contains garbage', () => {
  const { state, memory } = setUp()
  Object.assign(state, { used: 850 * MEGABYTE, loaded: 24 * MEGABYTE })
  assert.is(memory.hasRoomFor(300 * MEGABYTE), true)
  state.loaded = 25 * MEGABYTE
  assert.is(memory.hasRoomFor(300 * MEGABYTE), false)
})

test.run()
