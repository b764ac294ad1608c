import { createConnectionBudget } from '../../../src/store/postgres/connection-budget.ts'
import { stopOwnPostgres } from '../../support/postgres.ts'
import { assert, suite } from '../../support/suite.ts'
import { customer, put, rejection } from '../fixture.ts'
import { coordinatorOf, openAt, until, withRole } from './postgres-stores.ts'

const HEARTBEAT_SECONDS = 10
const LIMIT = 5
const POOL_SIZE = 8
const REQUESTS = 200
/** Number of queries after which a reduced pool tries one more connection. */
const QUERIES_PER_GROWTH = 500

const test = suite('store/connection-budget')

test.after(stopOwnPostgres)

const tooMany = () => Object.assign(new Error('too many connections'), { code: '53300' })

/** Creates a budget with a fake pool of this size. */
function setUp(totalCount: number) {
  const pauses: number[] = []
  const destroyed: boolean[] = []
  const pool = {
    options: { max: POOL_SIZE },
    totalCount,
    async connect() {
      return {
        release(isDestroyed: boolean) {
          destroyed.push(isDestroyed)
          pool.totalCount -= 1
        },
      }
    },
  }
  const budget = createConnectionBudget(pool, POOL_SIZE, async (ms) => pauses.push(ms))
  return { pool, budget, pauses, destroyed }
}

/** Returns a function that fails several times because of too many connections, and then succeeds. */
function failing(times: number) {
  let failures = times
  return async () => {
    failures -= 1
    if (failures >= 0) throw tooMany()
    return 'done'
  }
}

test('a query waits for a connection of the pool when the server allows no further connection', async () => {
  const { pool, budget, pauses } = setUp(3)
  assert.is(budget.connectionShortage(), null)
  assert.is(await budget.runQuery(failing(1)), 'done')
  assert.is(pool.options.max, 3)
  assert.match(
    budget.connectionShortage() ?? '',
    /allows this server only 3 of 8 connections for reads.*Raise the connection limit/,
  )
  assert.equal(pauses, [], 'the pool itself queues the query')
})

// The pool also counts connections that are still being opened.
for (const totalCount of [0, 1])
  test(`a query on a pool that counts ${totalCount} connections is retried for two seconds`, async () => {
    const { budget, pauses } = setUp(totalCount)
    assert.is(await budget.runQuery(failing(21)), 'done')
    assert.equal(pauses, Array(20).fill(100))
    assert.match((await rejection(budget.runQuery(failing(22)))).message, 'too many connections')
  })

test('a reduced pool tries one more connection after 500 queries', async () => {
  const { pool, budget } = setUp(7)
  await budget.runQuery(failing(1))
  assert.is(pool.options.max, 7)
  for (let query = 0; query < QUERIES_PER_GROWTH; query += 1) await budget.runQuery(failing(0))
  assert.is(pool.options.max, POOL_SIZE)
  assert.is(budget.connectionShortage(), null)
})

test('a dedicated connection replaces a pool connection, but never the last pool connection', async () => {
  const { pool, budget, destroyed } = setUp(2)
  assert.is(await budget.openConnection(failing(3)), 'done')
  assert.equal(destroyed, [true])
  assert.equal([pool.totalCount, pool.options.max], [1, 1])
})

test('does not retry a query after an error other than a missing connection', async () => {
  const { budget, pauses } = setUp(0)
  const error = await rejection(budget.runQuery(() => Promise.reject(new Error('other'))))
  assert.is(error.message, 'other')
  assert.equal(pauses, [])
})

test('serves all requests when its role has five connections, and warns about the limit', () =>
  withRole(async (url, query, role) => {
    await query(`ALTER ROLE ${role} CONNECTION LIMIT ${LIMIT}`)
    const store = await openAt(url)
    const sharing = coordinatorOf(store)
    let isNotified = false
    sharing.onChange(() => {
      isNotified = true
    })
    await Promise.all(
      Array.from({ length: REQUESTS }, (_, number) =>
        number % 4 === 0
          ? put(store, customer(`cus_${number}`))
          : store.list('customers', { limit: number % 7 }),
      ),
    )
    assert.is(await store.count('customers'), REQUESTS / 4)
    await until(async () => {
      // Servers send heartbeats regularly. Without a free connection for LISTEN, the next heartbeat tries again.
      await sharing.heartbeat(HEARTBEAT_SECONDS)
      return isNotified
    })
    assert.match(sharing.connectionShortage() ?? '', 'Raise the connection limit of the role')
    assert.is(await sharing.isWritable(), true)
    await query(`ALTER ROLE ${role} CONNECTION LIMIT -1`)
    const reads = () => Promise.all(Array.from({ length: REQUESTS }, () => store.count('customers')))
    await until(async () => (await reads()).length > 0 && sharing.connectionShortage() === null)
    await store.close()
  }))

test.run()
