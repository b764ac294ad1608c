import { createRoom } from '../../../src/store/postgres/postgres-room.ts'
import { dropDatabase, newDatabaseUrl, onDatabase, stopOwnPostgres } from '../../support/postgres.ts'
import { assert, suite } from '../../support/suite.ts'
import { customer, put, rejection } from '../fixture.ts'
import { openAt, schemaOf, sharingOf, until } from './postgres-stores.ts'

const LIMIT = 5
const READERS = 8
const REQUESTS = 200
/** As many as pass until a pool that was made smaller tries one more connection. */
const QUERIES_PER_TRY = 500

const test = suite('store/postgres-room')

test.after(stopOwnPostgres)

const tooMany = () => Object.assign(new Error('too many connections'), { code: '53300' })

/** A pool whose size the test sets. */
function setUp(totalCount: number) {
  const pauses: number[] = []
  const destroyed: boolean[] = []
  const pool = {
    options: { max: READERS },
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
  const room = createRoom(pool, READERS, async (ms) => pauses.push(ms))
  return { pool, room, pauses, destroyed }
}

/** Fails so often for want of connections, and then succeeds. */
function failing(times: number) {
  let left = times
  return async () => {
    left -= 1
    if (left >= 0) throw tooMany()
    return 'done'
  }
}

test('a query waits for a connection of the pool when the server gives no more', async () => {
  const { pool, room, pauses } = setUp(3)
  assert.is(room.shortage(), null)
  assert.is(await room.forQuery(failing(1)), 'done')
  assert.is(pool.options.max, 3)
  assert.match(
    room.shortage() ?? '',
    /gives this service 3 connections for reading, of 8.*Raise the connection limit/,
  )
  assert.equal(pauses, [], 'the pool itself has it wait')
})

test('a query of a pool without any connection tries again for two seconds', async () => {
  const { room, pauses } = setUp(0)
  assert.is(await room.forQuery(failing(20)), 'done')
  assert.equal(pauses, Array(20).fill(100))
  assert.match((await rejection(room.forQuery(failing(21)))).message, 'too many connections')
})

test('a pool that was made smaller tries one more connection after 500 queries', async () => {
  const { pool, room } = setUp(7)
  await room.forQuery(failing(1))
  assert.is(pool.options.max, 7)
  for (let query = 0; query < QUERIES_PER_TRY; query += 1) await room.forQuery(failing(0))
  assert.is(pool.options.max, READERS)
  assert.is(room.shortage(), null)
})

test('a connection beside the pool gets the place of one of the pool, but for its last one', async () => {
  const { pool, room, destroyed } = setUp(2)
  assert.is(await room.forConnection(failing(3)), 'done')
  assert.equal(destroyed, [true])
  assert.equal([pool.totalCount, pool.options.max], [1, 1])
})

test('another failure is not tried again', async () => {
  const { room, pauses } = setUp(0)
  const error = await rejection(room.forQuery(() => Promise.reject(new Error('another'))))
  assert.is(error.message, 'another')
  assert.equal(pauses, [])
})

test('a service whose role has five connections answers everything, and says that it waits', async () => {
  const url = await newDatabaseUrl()
  const role = `r_${schemaOf(url)}`
  const ask = (text: string) => onDatabase(url, (client) => client.query(text))
  await ask(
    `CREATE ROLE ${role} LOGIN CONNECTION LIMIT ${LIMIT}; CREATE SCHEMA ${schemaOf(url)} AUTHORIZATION ${role}`,
  )
  const store = await openAt(Object.assign(new URL(url), { username: role }).href)
  const sharing = sharingOf(store)
  let isHeard = false
  sharing.onChange(() => {
    isHeard = true
  })
  await Promise.all(
    Array.from({ length: REQUESTS }, (_, number) =>
      number % 4 === 0
        ? put(store, customer(`cus_${number}`))
        : store.list('customers', { limit: number % 7 }),
    ),
  )
  assert.is(await store.count('customers'), REQUESTS / 4)
  await until(() => isHeard)
  assert.match(sharing.shortage() ?? '', 'Raise the connection limit of its role')
  assert.is(await sharing.isWritable(), true)
  await ask(`ALTER ROLE ${role} CONNECTION LIMIT -1`)
  const reads = () => Promise.all(Array.from({ length: REQUESTS }, () => store.count('customers')))
  await until(async () => (await reads()).length > 0 && sharing.shortage() === null)
  await store.close()
  await dropDatabase(url)
  await ask(`DROP ROLE ${role}`)
})

test.run()
