import { DomainError } from '../../../src/domain/core/domain-error.ts'
import type { Store } from '../../../src/store/port/store.ts'
import { onDatabase, stopOwnPostgres } from '../../support/postgres.ts'
import { assert, suite } from '../../support/suite.ts'
import { commit, customer, delivery, event, put, rejection, upTo } from '../fixture.ts'
import { KEY, keepsKey, keyWith, untilKept } from './cached-keys.ts'
import { COMMIT, openProxy, type PostgresProxy } from './postgres-proxy.ts'
import {
  commitAlone,
  coordinatorOf,
  endConnections,
  nameConnections,
  openAt,
  schemaOf,
  until,
  withRole,
  withStores,
} from './postgres-stores.ts'

/** More transactions than share one commit. */
const MANY = 150
const BAD = 77
/** More different statements than are prepared. */
const STATEMENTS = 520
const MAX_PREPARED = 500
const LONG_SECONDS = 600
const TERMINATE_LIMIT_MS = 10_000
/** The number of pauses of each of the three calls until it gives up after two seconds. */
const PAUSES = 20

const test = suite('store/failures of a PostgreSQL database')

test.after(stopOwnPostgres)

/** Returns the domain error that a promise rejects with. */
async function domainError(promise: Promise<unknown>): Promise<DomainError> {
  const error = await rejection(promise)
  if (error instanceof DomainError) return error
  throw error
}

test('failing transactions do not affect other transactions in the same commit', () =>
  withStores(1, async ([store]) => {
    const outcomes = await Promise.allSettled(
      upTo(MANY).map((number) =>
        store.transact(async () => {
          if (number === BAD) throw new Error('a bug in the work')
          if (number === BAD + 1) throw new DomainError('customer_missing', 'No such customer.')
          return commit(number, {
            writes: [{ put: customer(`cus_${number}`) }],
            events: [event(`evt_${number}`)],
          })
        }),
      ),
    )
    const failed = outcomes.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []))
    assert.equal(failed, ['Error: a bug in the work', 'DomainError: No such customer.'])
    assert.is(await store.count('customers'), MANY - 2)
    assert.is(await store.newestSequence(), MANY - 2, 'failed transactions must not use sequence numbers')
  }))

test('a transaction that the database rejects fails alone, and the other transactions are stored once', () =>
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

test('rejects a transaction whose connection is lost, and stores the next transaction', () =>
  withStores(1, async ([store], url) => {
    const { code, message } = await domainError(
      store.transact(async (reader) => {
        await reader.get('customers', 'cus_1')
        assert.is(await endConnections(url, 'customers'), 0, 'values must not be part of a statement')
        assert.is(await endConnections(url, 'FROM records'), 1)
        await reader.get('customers', 'cus_2')
        return commit(null, { writes: [{ put: customer('cus_1') }] })
      }),
    )
    assert.is(code, 'unavailable')
    assert.match(message, 'nothing was stored')
    assert.is(await store.get('customers', 'cus_1'), null)
    await put(store, customer('cus_2'))
    assert.is((await store.get('customers', 'cus_2'))?.id, 'cus_2')
  }))

test('rejects a transaction that catches the loss of its connection', () =>
  withStores(1, async ([store], url) => {
    const { code } = await domainError(
      store.transact(async (reader) => {
        await reader.count('customers')
        await endConnections(url, 'count(')
        await reader.get('customers', 'cus_1').catch(() => null)
        throw new DomainError('customer_missing', 'No such customer.')
      }),
    )
    assert.is(code, 'unavailable')
  }))

test('reads records on another connection after one connection is lost', () =>
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

/** Runs `work` with a store behind a proxy and another store without the proxy. */
async function withProxy(
  work: (store: Store, proxy: PostgresProxy, other: Store, url: string) => Promise<void>,
): Promise<void> {
  await withStores(1, async ([other], url) => {
    const proxy = await openProxy(url)
    const store = await openAt(proxy.url)
    try {
      await work(store, proxy, other, url)
    } finally {
      await store.close()
      await proxy.close()
    }
  })
}

// The NUL byte excludes BEGIN, which contains READ COMMITTED.
for (const [what, words, prepare] of [
  ['COMMIT', COMMIT, (store: Store) => put(store, customer('cus_1'))],
  ['commit of one statement', 'cus_lost', commitAlone],
] as const) {
  for (const cut of ['after', 'before'] as const) {
    test(`reports an unknown outcome when the result of a ${what} is lost ${cut} it is stored`, () =>
      withProxy(async (store, proxy, other) => {
        await prepare(store)
        const before = await other.count('customers')
        proxy.cutAt(words, cut)
        const { code, message } = await domainError(put(store, customer('cus_lost')))
        assert.is(code, 'unavailable')
        assert.match(message, 'it is unknown whether this request was stored')
        assert.match(message, 'Idempotency-Key')
        const isStored = (await other.get('customers', 'cus_lost')) !== null
        assert.is(isStored, cut === 'after')
        await put(store, customer('cus_next'))
        assert.is(await other.count('customers'), before + (isStored ? 2 : 1))
      }))
  }
}

test('reads the next deadline again after a commit whose result is lost', () =>
  withProxy(async (store, proxy) => {
    let notified = 0
    // Deadlines are cached only while the store listens; the start of LISTEN notifies.
    coordinatorOf(store).onChange(() => {
      notified += 1
    })
    await until(() => notified > 0)
    assert.is(await store.nextDeadline(), null)
    proxy.cutAt(COMMIT, 'after')
    await domainError(put(store, delivery('whd_1', { webhook_endpoint: 'we_1' })))
    assert.is.not(await store.nextDeadline(), null)
  }))

test('after a commit with an unknown outcome, reads API keys each time until the next commit', () =>
  withProxy(async (store, proxy, _other, url) => {
    await put(store, KEY)
    await untilKept(store, url)
    proxy.cutAt(COMMIT, 'after')
    await domainError(put(store, keyWith('revoked')))
    assert.is(await keepsKey(store, url), false)
    assert.is((await store.get('api_keys', KEY.id))?.status, 'revoked')
    await put(store, customer('cus_1'))
    assert.is(await keepsKey(store, url), true)
  }))

test('reports that nothing was stored when the connection is lost before the COMMIT', () =>
  withProxy(async (store, proxy, other) => {
    proxy.cutAt('FROM records', 'after')
    const { message } = await domainError(
      store.transact(async (reader) => {
        await reader.get('customers', 'cus_1').catch(() => null)
        return commit(null, { writes: [{ put: customer('cus_1') }] })
      }),
    )
    assert.match(message, 'nothing was stored')
    assert.is(await other.get('customers', 'cus_1'), null)
    await put(other, customer('cus_2'))
  }))

test('a process that stops within a transaction loses the transaction, and other processes continue', () =>
  withStores(2, async ([stopped, other]) => {
    const started = Promise.withResolvers<void>()
    const resumed = Promise.withResolvers<void>()
    const outcome = domainError(
      stopped.transact(async (reader) => {
        await reader.get('customers', 'cus_1')
        started.resolve()
        await resumed.promise
        return commit(null, { writes: [{ put: customer('cus_1') }] })
      }),
    )
    await started.promise
    // Without the idle timeout, this write would fail after 20 s.
    await put(other, customer('cus_2'))
    resumed.resolve()
    assert.is((await outcome).code, 'unavailable')
    assert.is(await other.get('customers', 'cus_1'), null)
    await put(stopped, customer('cus_3'))
  }))

test('close during the start of LISTEN leaves no open connection', () =>
  withStores(1, async (_stores, url) => {
    const { named, count } = nameConnections(url)
    const store = await openAt(named)
    coordinatorOf(store).onChange(() => {})
    await store.close()
    assert.is((await domainError(store.get('customers', 'cus_1'))).code, 'unavailable')
    await until(async () => (await count()) === 0)
  }))

test('reports unavailable when the server accepts no more connections', () =>
  withRole(async (url, query, role) => {
    let pauses = 0
    const pause = async () => {
      pauses += 1
    }
    const store = await openAt(url, { pause })
    await put(store, customer('cus_1'))
    await query(`ALTER ROLE ${role} CONNECTION LIMIT 0`)
    // With a timeout it waits until the backends have ended. Without the wait, a call could still reach a terminated
    // backend and fail with a lost connection.
    const terminate = `pg_terminate_backend(pid, ${TERMINATE_LIMIT_MS})`
    await query(`SELECT ${terminate} FROM pg_stat_activity WHERE usename = '${role}'`)
    for (const call of [
      () => store.get('customers', 'cus_1'),
      () => put(store, customer('cus_2')),
      () => coordinatorOf(store).acquireLeases(['a'], LONG_SECONDS),
    ]) {
      const { code, cause } = await domainError(call())
      assert.equal([code, (cause as { code?: string }).code], ['unavailable', '53300'])
    }
    assert.is(pauses, 3 * PAUSES, 'each call must be retried for two seconds')
    await query(`ALTER ROLE ${role} CONNECTION LIMIT -1`)
    await put(store, customer('cus_2'))
    assert.is(await store.count('customers'), 2)
    await store.close()
  }))

test('rejects changes and serves reads on a read-only database', () =>
  withStores(1, async ([store], url) => {
    await put(store, customer('cus_1'))
    const query = (text: string) => onDatabase(url, (client) => client.query(text))
    await query(`CREATE FUNCTION ${schemaOf(url)}.refuse() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'this server only reads' USING ERRCODE = '25006'; END $$;
      CREATE TRIGGER refuse BEFORE INSERT ON ${schemaOf(url)}.records EXECUTE FUNCTION ${schemaOf(url)}.refuse()`)
    assert.is((await domainError(put(store, customer('cus_2')))).code, 'unavailable')
    assert.is((await store.get('customers', 'cus_1'))?.id, 'cus_1')
    await query(`DROP TRIGGER refuse ON ${schemaOf(url)}.records`)
    await put(store, customer('cus_2'))
  }))

test('limits the number of prepared statements', () =>
  withProxy(async (store, proxy) => {
    await put(store, customer('cus_1'))
    for (const length of upTo(STATEMENTS)) {
      const ranges = Array.from({ length }, () => ({ field: 'created', gte: 0 }))
      assert.is((await store.list('customers', { ranges, limit: 1 })).data.length, 1)
    }
    assert.is(proxy.prepared(), MAX_PREPARED)
  }))

test.run()
