import type { Reader } from '../../../src/store/port/store.ts'
import { createRememberingReader } from '../../../src/store/postgres/remembering-reader.ts'
import { assert, suite } from '../../support/suite.ts'
import { customer, rejection, turn } from '../fixture.ts'

const test = suite('store/remembering-reader')

/** A reader that tells what it was asked, and whose records are other ones each time. */
function setUp() {
  const asked: string[] = []
  const note = (...words: unknown[]) => asked.push(words.map((word) => JSON.stringify(word)).join(' '))
  const reader: Reader = {
    get: (async (collection, id) => {
      note('get', collection, id)
      return id === 'none' ? null : customer(id)
    }) as Reader['get'],
    list: (async (collection, query) => {
      note('list', collection, query)
      return { data: [], has_more: false }
    }) as Reader['list'],
    due: async (queue, until, limit) => {
      note('due', queue, until, limit)
      return []
    },
    oldest: (async (collection, limit) => {
      note('oldest', collection, limit)
      return []
    }) as Reader['oldest'],
    count: async (collection) => note('count', collection),
    newestSequence: async () => note('newestSequence'),
  }
  return { asked, ...createRememberingReader(reader) }
}

test('the same question is asked once, also at the same time, and answered with the same record', async () => {
  const { asked, reader } = setUp()
  const [one, two] = await Promise.all([reader.get('customers', 'cus_1'), reader.get('customers', 'cus_1')])
  assert.is(one, two)
  assert.is(await reader.get('customers', 'cus_1'), one)
  assert.is(await reader.get('customers', 'none'), null)
  assert.is(await reader.get('customers', 'none'), null)
  assert.is(asked.length, 2)
})

test('other questions are asked: of another id, collection, query or limit', async () => {
  const { asked, reader } = setUp()
  const questions = [
    () => reader.get('customers', 'count'),
    () => reader.get('invoices', 'count'),
    () => reader.count('customers'),
    () => reader.list('customers', { limit: 1 }),
    () => reader.list('customers', { limit: 2 }),
    () => reader.list('customers', { limit: 1, where: { email: 'a' } }),
    () => reader.list('customers', { limit: 1, where: { email: ['a'] } }),
    () => reader.oldest('customers', 1),
    () => reader.oldest('customers', 2),
  ]
  for (let time = 0; time < 2; time += 1) for (const ask of questions) await ask()
  assert.is(asked.length, questions.length)
  assert.is(new Set(asked).size, questions.length)
})

test('of a collection that has changed everything is forgotten, of the others nothing', async () => {
  const { asked, reader, forget } = setUp()
  const ask = async () => {
    await reader.get('customers', 'cus_1')
    await reader.list('customers', { limit: 1 })
    await reader.count('customers')
    await reader.oldest('customers', 1)
    await reader.get('invoices', 'in_1')
  }
  await ask()
  forget(['customers'])
  asked.length = 0
  await ask()
  assert.equal(asked, [
    '"get" "customers" "cus_1"',
    '"list" "customers" {"limit":1}',
    '"count" "customers"',
    '"oldest" "customers" 1',
  ])
})

test('an answer that fails and that nobody waits for any more is no bug of the process', async () => {
  const failed: unknown[] = []
  const hear = (error: unknown) => failed.push(error)
  process.on('unhandledRejection', hear)
  const { reader: broken } = setUp()
  const { reader } = createRememberingReader({
    ...broken,
    get: async () => {
      throw new Error('gone')
    },
  })
  reader.get('customers', 'cus_1')
  assert.is((await rejection(reader.get('customers', 'cus_2'))).message, 'gone')
  await turn()
  process.off('unhandledRejection', hear)
  assert.equal(failed, [])
})

test('what belongs to no one collection is asked each time', async () => {
  const { asked, reader } = setUp()
  for (let time = 0; time < 2; time += 1) {
    await reader.due('queue', 5, 1)
    await reader.newestSequence()
  }
  assert.is(asked.length, 4)
})

test.run()
