import type { StoreReader } from '../../../src/store/port/store.ts'
import { createCachingReader, type ReadCache } from '../../../src/store/postgres/caching-reader.ts'
import { assert, suite } from '../../support/suite.ts'
import { customer, rejection, waitForNextTurn } from '../fixture.ts'

const test = suite('store/caching-reader')

/** Creates a caching reader over a fake reader that logs each call and returns a new object each time. */
function setUp() {
  const calls: string[] = []
  const log = (...words: unknown[]) => calls.push(words.map((word) => JSON.stringify(word)).join(' '))
  const reader: StoreReader = {
    get: (async (collection, id) => {
      log('get', collection, id)
      return id === 'none' ? null : customer(id)
    }) as StoreReader['get'],
    list: (async (collection, query) => {
      log('list', collection, query)
      return { data: [], has_more: false }
    }) as StoreReader['list'],
    listDue: async (queue, until, limit) => {
      log('due', queue, until, limit)
      return []
    },
    listOldest: (async (collection, limit) => {
      log('oldest', collection, limit)
      return []
    }) as StoreReader['listOldest'],
    count: async (collection) => log('count', collection),
    newestSequence: async () => log('newestSequence'),
  }
  const cache: ReadCache = new Map()
  return { calls, cache, reader: createCachingReader(reader, cache) }
}

test('calls the reader once for repeated and concurrent reads, and returns the same record', async () => {
  const { calls, reader } = setUp()
  const [one, two] = await Promise.all([reader.get('customers', 'cus_1'), reader.get('customers', 'cus_1')])
  assert.is(one, two)
  assert.is(await reader.get('customers', 'cus_1'), one)
  assert.is(await reader.get('customers', 'none'), null)
  assert.is(await reader.get('customers', 'none'), null)
  assert.is(calls.length, 2)
})

test('calls the reader for another id, collection, query or limit', async () => {
  const { calls, reader } = setUp()
  const reads = [
    () => reader.get('customers', 'count'),
    () => reader.get('invoices', 'count'),
    () => reader.count('customers'),
    () => reader.list('customers', { limit: 1 }),
    () => reader.list('customers', { limit: 2 }),
    () => reader.list('customers', { limit: 1, where: { email: 'a' } }),
    () => reader.list('customers', { limit: 1, where: { email: ['a'] } }),
    () => reader.listOldest('customers', 1),
    () => reader.listOldest('customers', 2),
  ]
  for (let time = 0; time < 2; time += 1) for (const read of reads) await read()
  assert.is(calls.length, reads.length)
  assert.is(new Set(calls).size, reads.length)
})

test('reads a collection again after it was deleted from the cache', async () => {
  const { calls, cache, reader } = setUp()
  const readAll = async () => {
    await reader.get('customers', 'cus_1')
    await reader.list('customers', { limit: 1 })
    await reader.count('customers')
    await reader.listOldest('customers', 1)
    await reader.get('invoices', 'in_1')
  }
  await readAll()
  cache.delete('customers')
  calls.length = 0
  await readAll()
  assert.equal(calls, [
    '"get" "customers" "cus_1"',
    '"list" "customers" {"limit":1}',
    '"count" "customers"',
    '"oldest" "customers" 1',
  ])
})

test('a failed read that nothing awaits causes no unhandled rejection', async () => {
  const unhandled: unknown[] = []
  const listener = (error: unknown) => unhandled.push(error)
  process.on('unhandledRejection', listener)
  const { reader: broken } = setUp()
  const get = async () => {
    throw new Error('failed')
  }
  const reader = createCachingReader({ ...broken, get }, new Map())
  reader.get('customers', 'cus_1')
  assert.is((await rejection(reader.get('customers', 'cus_2'))).message, 'failed')
  await waitForNextTurn()
  process.off('unhandledRejection', listener)
  assert.equal(unhandled, [])
})

test('does not cache listDue and readNewestSequence', async () => {
  const { calls, reader } = setUp()
  for (let time = 0; time < 2; time += 1) {
    await reader.listDue('queue', 5, 1)
    await reader.newestSequence()
  }
  assert.is(calls.length, 4)
})

test.run()
