import { MemoryRecords } from '../../../src/store/memory/memory-records.ts'
import { createMemoryStore } from '../../../src/store/memory/memory-store.ts'
import { assert, suite } from '../../support/suite.ts'
import { commit, customer, put, waitForNextTurn } from '../fixture.ts'

const test = suite('store/record-store slices')

test('a transaction yields to other work before each further page of a list', async () => {
  const store = createMemoryStore(new MemoryRecords(), {
    yieldToEventLoop: waitForNextTurn,
    monotonicMs: () => 0,
  })
  await put(store, customer('cus_1'), customer('cus_2'))
  const turns: string[] = []
  const pages = await store.transact(async (reader) => {
    setImmediate(() => turns.push('other work'))
    const first = await reader.list('customers', { limit: 1 })
    turns.push('page 1')
    const second = await reader.list('customers', { limit: 1, starting_after: first.data[0]?.id ?? '' })
    turns.push('page 2')
    return commit([...first.data, ...second.data].map(({ id }) => id))
  })
  assert.equal(turns, ['page 1', 'other work', 'page 2'])
  assert.equal(pages.result.toSorted(), ['cus_1', 'cus_2'])
})

test.run()
