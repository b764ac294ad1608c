import { DomainError } from '../../../src/domain/domain-error.ts'
import type { Store } from '../../../src/store/port/store.ts'
import { openPostgresStore } from '../../../src/store/postgres/postgres.ts'
import { dropDatabase, newDatabaseUrl, onDatabase, stopOwnPostgres } from '../../support/postgres.ts'
import { assert, suite } from '../../support/suite.ts'
import { commit, customer, event, put, rejection } from '../fixture.ts'
import { type CutWay, openProxy } from './postgres-proxy.ts'
import { endConnections, openAt, schemaOf, sharingOf, until, withStores } from './postgres-stores.ts'

/** More than share one commit. */
const MANY = 150
const BAD = 77
/** More different questions than are prepared. */
const QUESTIONS = 520
const PREPARED = 500
const LONG_SECONDS = 600

const test = suite('store/failures of a PostgreSQL database')

test.after(stopOwnPostgres)

/** What a call is refused with. */
async function refusal(promise: Promise<unknown>): Promise<DomainError> {
  const error = await rejection(promise)
  if (error instanceof DomainError) return error
  throw error
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

test('of many transactions that wait at once the ones that fail are alone with it', () =>
  withStores(1, async ([store]) => {
    const outcomes = await Promise.allSettled(
      upTo(MANY).map((number) =>
        store.transact(async () => {
          if (number === BAD) throw new Error('a bug of its own')
          if (number === BAD + 1) throw new DomainError('customer_missing', 'No such customer.')
          return commit(number, {
            writes: [{ put: customer(`cus_${number}`) }],
            events: [event(`evt_${number}`)],
          })
        }),
      ),
    )
    const failed = outcomes.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []))
    assert.equal(failed, ['Error: a bug of its own', 'Refusal: No such customer.'])
    assert.is(await store.count('customers'), MANY - 2)
    assert.is(await store.newestSequence(), MANY - 2, 'their numbers are not left out')
  }))

test('what the database itself does not take fails alone, too, and the others are stored once', () =>
  withStores(1, async ([store], url) => {
    await onDatabase(url, (client) =>
      client.query(`ALTER TABLE ${schemaOf(url)}.records ADD CHECK (id <> 'cus_${BAD}')`),
    )
    const outcomes = await Promise.allSettled(
      upTo(MANY).map((number) =>
        store.transact(async () =>
          commit(number, { writes: [{ put: customer(`cus_${number}`) }], events: [event(`evt_${number}`)] }),
        ),
      ),
    )
    const failed = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    assert.is(failed.length, 1)
    assert.match(String(failed[0]), 'violates check constraint')
    assert.is(await store.count('customers'), MANY - 1)
    assert.is(await store.newestSequence(), MANY - 1)
  }))

test('a transaction whose connection is ended stores nothing and says so, and the next one is stored', () =>
  withStores(1, async ([store], url) => {
    const { code, message } = await refusal(
      store.transact(async (reader) => {
        await reader.get('customers', 'cus_1')
        assert.is(await endConnections(url, 'customers'), 0, 'values are no part of a statement')
        assert.is(await endConnections(url, '.records'), 1)
        return commit(null, { writes: [{ put: customer('cus_1') }] })
      }),
    )
    assert.is(code, 'unavailable')
    assert.match(message, 'nothing was stored')
    assert.is(await store.get('customers', 'cus_1'), null)
    await put(store, customer('cus_2'))
    assert.is((await store.get('customers', 'cus_2'))?.id, 'cus_2')
  }))

test('a work that takes the loss of its connection for an answer stores nothing', () =>
  withStores(1, async ([store], url) => {
    const { code } = await refusal(
      store.transact(async (reader) => {
        await reader.count('customers')
        await endConnections(url, 'count(')
        await reader.get('customers', 'cus_1').catch(() => null)
        throw new DomainError('customer_missing', 'No such customer.')
      }),
    )
    assert.is(code, 'unavailable')
  }))

test('a reader whose connection is ended reads on another one', () =>
  withStores(1, async ([store], url) => {
    await put(store, customer('cus_1'))
    await store.get('customers', 'cus_1')
    assert.is(await endConnections(url, 'unnest'), 1)
    await until(() =>
      store.get('customers', 'cus_1').then(
        (found) => found !== null,
        (error) => error.code !== 'unavailable',
      ),
    )
    assert.is((await store.get('customers', 'cus_1'))?.id, 'cus_1')
  }))

/** Gives work a store whose way to its database can be cut, and one whose way cannot. */
async function withCuts(work: (store: Store, proxy: CutWay, other: Store) => Promise<void>): Promise<void> {
  await withStores(1, async ([other], url) => {
    const proxy = await openProxy(url)
    const store = await openAt(proxy.url)
    try {
      await work(store, proxy, other)
    } finally {
      await store.close()
      await proxy.close()
    }
  })
}

for (const [cut, is] of [
  ['after', 'stored'],
  ['before', 'not stored'],
] as const) {
  test(`a COMMIT that was ${is} and not answered is told as one of which nobody knows`, () =>
    withCuts(async (store, proxy, other) => {
      await put(store, customer('cus_1'))
      // As it ends a statement: to begin one names READ COMMITTED.
      proxy.cutAt('COMMIT\0', cut)
      const { code, message } = await refusal(put(store, customer('cus_2')))
      assert.is(code, 'unavailable')
      assert.match(message, 'may be stored or not')
      assert.match(message, 'Idempotency-Key')
      const isStored = (await other.get('customers', 'cus_2')) !== null
      assert.is(isStored, is === 'stored')
      await put(store, customer('cus_3'))
      assert.is(await other.count('customers'), isStored ? 3 : 2)
    }))
}

test('a statement that was lost before the COMMIT is told as not stored', () =>
  withCuts(async (store, proxy, other) => {
    proxy.cutAt('INSERT INTO', 'after')
    const { message } = await refusal(put(store, customer('cus_1')))
    assert.match(message, 'nothing was stored')
    assert.is(await other.get('customers', 'cus_1'), null)
    await put(other, customer('cus_2'))
  }))

test('a process that stands still inside its turn loses it, and the others go on', () =>
  withStores(2, async ([standing, other]) => {
    const begun = Promise.withResolvers<void>()
    const awake = Promise.withResolvers<void>()
    const outcome = refusal(
      standing.transact(async (reader) => {
        await reader.get('customers', 'cus_1')
        begun.resolve()
        await awake.promise
        return commit(null, { writes: [{ put: customer('cus_1') }] })
      }),
    )
    await begun.promise
    // It would be refused after 20 s.
    await put(other, customer('cus_2'))
    awake.resolve()
    assert.is((await outcome).code, 'unavailable')
    assert.is(await other.get('customers', 'cus_1'), null)
    await put(standing, customer('cus_3'))
  }))

test('a store that is closed finishes what waits, and refuses what comes later', () =>
  withStores(2, async ([store, other]) => {
    const waiting = upTo(MANY).map((number) => put(store, customer(`cus_${number}`)))
    const closed = store.close()
    assert.match((await rejection(put(store, customer('cus_late')))).message, 'closed')
    await Promise.all([...waiting, closed])
    assert.is(await other.count('customers'), MANY)
    assert.is((await refusal(store.get('customers', 'cus_1'))).code, 'unavailable')
  }))

test('a store that is closed while it begins to listen leaves no connection behind', () =>
  withStores(1, async (_stores, url) => {
    const named = new URL(url)
    named.searchParams.set('application_name', schemaOf(url))
    const store = await openAt(named.href)
    sharingOf(store).onChange(() => {})
    await store.close()
    await until(() =>
      onDatabase(url, async (client) => {
        const text = 'SELECT 1 FROM pg_stat_activity WHERE application_name = $1'
        return (await client.query(text, [schemaOf(url)])).rows.length === 0
      }),
    )
  }))

test('a server that takes no more connections is unavailable, and no bug', async () => {
  const url = await newDatabaseUrl()
  const role = `r_${schemaOf(url)}`
  const ask = (text: string) => onDatabase(url, (client) => client.query(text))
  await ask(`CREATE ROLE ${role} LOGIN; CREATE SCHEMA ${schemaOf(url)} AUTHORIZATION ${role}`)
  const at = Object.assign(new URL(url), { username: role }).href
  let pauses = 0
  const pause = async () => {
    pauses += 1
  }
  const store = await openPostgresStore({ url: at, newSuffix: () => 'limited', pause })
  await put(store, customer('cus_1'))
  await ask(`ALTER ROLE ${role} CONNECTION LIMIT 0`)
  await ask(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${role}'`)
  for (const call of [
    () => store.get('customers', 'cus_1'),
    () => put(store, customer('cus_2')),
    () => sharingOf(store).take(['a'], LONG_SECONDS),
  ]) {
    // The end of a connection that was open may be heard of first.
    await call().catch(() => {})
    const { code, cause } = await refusal(call())
    assert.equal([code, (cause as { code?: string }).code], ['unavailable', '53300'])
  }
  assert.ok(pauses >= 60, 'not before each has tried for two seconds')
  await ask(`ALTER ROLE ${role} CONNECTION LIMIT -1`)
  await put(store, customer('cus_2'))
  assert.is(await store.count('customers'), 2)
  await store.close()
  await dropDatabase(url)
  await ask(`DROP ROLE ${role}`)
})

test('a database that only reads now is unavailable for changes and still read', () =>
  withStores(1, async ([store], url) => {
    await put(store, customer('cus_1'))
    const ask = (text: string) => onDatabase(url, (client) => client.query(text))
    await ask(`CREATE FUNCTION ${schemaOf(url)}.refuse() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'this server only reads' USING ERRCODE = '25006'; END $$;
      CREATE TRIGGER refuse BEFORE INSERT ON ${schemaOf(url)}.records EXECUTE FUNCTION ${schemaOf(url)}.refuse()`)
    assert.is((await refusal(put(store, customer('cus_2')))).code, 'unavailable')
    assert.is((await store.get('customers', 'cus_1'))?.id, 'cus_1')
    await ask(`DROP TRIGGER refuse ON ${schemaOf(url)}.records`)
    await put(store, customer('cus_2'))
  }))

test('however many different questions are asked, so many are prepared and no more', () =>
  withCuts(async (store, proxy) => {
    await put(store, customer('cus_1'))
    for (const length of upTo(QUESTIONS)) {
      const ranges = Array.from({ length }, () => ({ field: 'created', gte: 0 }))
      assert.is((await store.list('customers', { ranges, limit: 1 })).data.length, 1)
    }
    assert.is(proxy.prepared(), PREPARED)
  }))

test.run()
