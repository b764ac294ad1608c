import { createBatchedGet } from '../../../src/store/postgres/batched-gets.ts'
import type { QueryRow } from '../../../src/store/postgres/postgres-connection.ts'
import { toIndexKey } from '../../../src/store/postgres/postgres-schema.ts'
import { assert, suite } from '../../support/suite.ts'
import { customer, rejection, waitForNextTurn } from '../fixture.ts'

const test = suite('store/batched-gets')

interface FakeQuery {
  readonly keys: readonly string[]
  readonly resolve: (rows: readonly QueryRow[]) => void
  readonly reject: (error: Error) => void
}

/** Creates a batched get whose queries the test resolves. */
function setUp() {
  const queries: FakeQuery[] = []
  const get = createBatchedGet((_text, [collections, keys]) => {
    const { promise, resolve, reject } = Promise.withResolvers<readonly QueryRow[]>()
    const requested = (collections as string[]).map(
      (collection, at) => `${collection} ${(keys as string[])[at]}`,
    )
    queries.push({ keys: requested, resolve, reject })
    return promise
  })
  return { queries, get }
}

const rowOf = (id: string) => ({ kind: 'customers', id: toIndexKey(id), record: customer(id) })

test('reads the records of concurrent gets with one query and returns the right record to each', async () => {
  const { queries, get } = setUp()
  const wanted = Promise.all([
    get('customers', 'cus_1'),
    get('invoices', 'cus_1'),
    get('customers', 'cus_2'),
    get('customers', 'cus_1'),
  ])
  await waitForNextTurn()
  assert.equal(
    queries.map(({ keys }) => keys),
    [['customers cus_1', 'invoices cus_1', 'customers cus_2', 'customers cus_1']],
  )
  queries[0]?.resolve([rowOf('cus_2'), rowOf('cus_1')])
  assert.equal(
    (await wanted).map((record) => record?.id ?? null),
    ['cus_1', null, 'cus_2', 'cus_1'],
  )
})

test('batches gets that arrive during two running queries into the next query', async () => {
  const { queries, get } = setUp()
  const all = []
  for (const id of ['a', 'b', 'c', 'd']) {
    all.push(get('customers', id))
    await waitForNextTurn()
  }
  assert.is(queries.length, 2)
  queries[0]?.resolve([rowOf('a')])
  await waitForNextTurn()
  assert.equal(queries[2]?.keys, ['customers c', 'customers d'])
  queries[1]?.resolve([])
  queries[2]?.resolve([rowOf('d')])
  assert.equal(
    (await Promise.all(all)).map((record) => record?.id ?? null),
    ['a', null, null, 'd'],
  )
  const later = get('customers', 'e')
  await waitForNextTurn()
  queries[3]?.resolve([rowOf('e')])
  assert.is((await later)?.id, 'e', 'later gets must start a new query')
})

test('a failed query rejects only its own gets', async () => {
  const { queries, get } = setUp()
  const failing = [get('customers', 'a'), get('customers', 'b')].map(rejection)
  await waitForNextTurn()
  const other = get('customers', 'c')
  await waitForNextTurn()
  queries[0]?.reject(new Error('failed'))
  for (const failed of failing) assert.is((await failed).message, 'failed')
  queries[1]?.resolve([rowOf('c')])
  assert.is((await other)?.id, 'c')
})

test('a query reads up to 200 records', async () => {
  const { queries, get } = setUp()
  const all = Array.from({ length: 450 }, (_, number) => get('customers', `cus_${number}`))
  for (const count of [200, 200, 50]) {
    await waitForNextTurn()
    const next = queries.find(({ keys }) => keys.length === count)
    assert.ok(next, `${count}`)
    queries.splice(queries.indexOf(next), 1)
    next.resolve(next.keys.map((one) => rowOf(one.split(' ')[1] ?? '')))
  }
  assert.is((await Promise.all(all)).filter((record) => record !== null).length, 450)
})

test('finds a record whose id is escaped and hashed in the index', async () => {
  const { queries, get } = setUp()
  const id = `cus_\0"${'x'.repeat(300)}`
  const found = get('customers', id)
  await waitForNextTurn()
  queries[0]?.resolve([rowOf(id)])
  assert.is((await found)?.id, id)
})

test.run()
