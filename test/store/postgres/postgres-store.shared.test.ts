import type { Store } from '../../../src/store/port/store.ts'
import { onDatabase, stopOwnPostgres } from '../../support/postgres.ts'
import { assert, suite } from '../../support/suite.ts'
import { commit, customer, event, put, upTo } from '../fixture.ts'
import {
  connectionsAt,
  coordinatorOf,
  endConnections,
  openAt,
  schemaOf,
  until,
  withStores,
} from './postgres-stores.ts'

/** The number of stores with serializable isolation. */
const SERIALIZABLE_STORES = 5
const TRANSACTIONS_PER_STORE = 20
/** A duration that does not end during a test. */
const LONG_SECONDS = 600
const SHORT_SECONDS = 0.2

const test = suite('store/shared PostgreSQL database')

test.after(stopOwnPostgres)

test('works with serializable isolation as the default of the server', () =>
  withStores(1, async ([store], url) => {
    const strict = new URL(url)
    strict.searchParams.set('options', '-c default_transaction_isolation=serializable')
    const others = await Promise.all(upTo(SERIALIZABLE_STORES).map(() => openAt(strict.href)))
    const writing = others.map(async (other, place) => {
      for (const number of upTo(TRANSACTIONS_PER_STORE)) {
        await other.transact(async (reader) => {
          await reader.count('events')
          return commit(null, { events: [event(`evt_${place}_${number}`)] })
        })
      }
    })
    await Promise.all(writing)
    assert.is(await store.newestSequence(), SERIALIZABLE_STORES * TRANSACTIONS_PER_STORE)
    for (const other of others) await other.close()
  }))

/** Counts the notifications of a store about the changes of another store. */
interface NotificationCounter {
  /** Number of notifications. */
  readonly notified: () => number
  /** Number of changes by the other store. */
  readonly changes: () => number
  /** Makes a change with the other store. */
  readonly change: () => Promise<void>
}

/** Makes a store listen; resolves after the first notification about the other store. */
async function listen(own: Store, other: Store): Promise<NotificationCounter> {
  let [notified, changes] = [0, 0]
  const change = async () => {
    changes += 1
    await put(other, customer('cus_next'))
  }
  coordinatorOf(own).onChange(() => {
    notified += 1
  })
  await until(async () => {
    await change()
    return notified > 0
  })
  return { notified: () => notified, changes: () => changes, change }
}

/** Makes a change and resolves after its notification. */
async function changeAndWait({ notified, change }: NotificationCounter): Promise<void> {
  const before = notified()
  await change()
  await until(() => notified() > before)
}

test('each store is notified about changes of the other store, but not about its own changes', () =>
  withStores(2, async ([one, two]) => {
    const [first, second] = [await listen(one, two), await listen(two, one)]
    await changeAndWait(second)
    await changeAndWait(first)
    const [notified, changes] = [first.notified(), first.changes()]
    for (const _ of upTo(10)) await put(one, customer('cus_own'))
    await changeAndWait(second)
    await changeAndWait(first)
    // Each store also sends one notification when it starts to listen.
    const most = first.changes() - changes + 2
    assert.ok(first.notified() - notified <= most, 'own changes must not notify')
  }))

test('a store reconnects its LISTEN connection once, with the next call of acquireLeases', () =>
  withStores(2, async ([store, other], url) => {
    const counter = await listen(store, other)
    await until(async () => (await connectionsAt(url, 'LISTEN')) === 1)
    await endConnections(url, 'LISTEN')
    // Earlier notifications arrive before the connection ends.
    await until(async () => (await connectionsAt(url, 'LISTEN')) === 0)
    const before = counter.notified()
    await until(async () => {
      await Promise.all([1, 2, 3].map(() => coordinatorOf(store).acquireLeases([], LONG_SECONDS)))
      return counter.notified() > before
    })
    await changeAndWait(counter)
    assert.is(await connectionsAt(url, 'LISTEN'), 1)
  }))

test('heartbeat returns the number of open stores, without closed and expired stores', () =>
  withStores(2, async ([one, two], url) => {
    assert.is(await coordinatorOf(one).heartbeat(LONG_SECONDS), 1)
    assert.is(await coordinatorOf(two).heartbeat(LONG_SECONDS), 2)
    const third = await openAt(url)
    await coordinatorOf(third).heartbeat(LONG_SECONDS)
    assert.is(await coordinatorOf(one).heartbeat(LONG_SECONDS), 3)
    await third.close()
    assert.is(await coordinatorOf(one).heartbeat(LONG_SECONDS), 2)
    await coordinatorOf(two).heartbeat(SHORT_SECONDS)
    await until(async () => (await coordinatorOf(one).heartbeat(LONG_SECONDS)) === 1)
  }))

test('acquireLeases respects its limit and renews own leases first', () =>
  withStores(2, async ([one, two]) => {
    const [own, other] = [coordinatorOf(one), coordinatorOf(two)]
    const names = ['a', 'b', 'c', 'd']
    assert.equal(await own.acquireLeases(['c'], LONG_SECONDS, 1), ['c'])
    const taken = await own.acquireLeases(names, LONG_SECONDS, 2)
    assert.is(taken.length, 2)
    assert.ok(taken.includes('c'))
    const rest = await other.acquireLeases(names, LONG_SECONDS, 3)
    assert.equal([...taken, ...rest].sort(), names)
    assert.equal(await other.acquireLeases(names, LONG_SECONDS, 0), [])
  }))

test('a lease is exclusive until it is released', () =>
  withStores(2, async (stores) => {
    const [own, other] = [coordinatorOf(stores[0]), coordinatorOf(stores[1])]
    assert.equal([...(await own.acquireLeases(['b', 'a'], LONG_SECONDS))].sort(), ['a', 'b'])
    assert.equal(await other.acquireLeases(['a', 'b', 'c'], LONG_SECONDS), ['c'])
    assert.equal(
      [...(await own.acquireLeases(['a', 'b', 'c'], LONG_SECONDS))].sort(),
      ['a', 'b'],
      'a repeated call must renew the leases',
    )
    await other.releaseLeases(['a'])
    assert.equal(
      await other.acquireLeases(['a'], LONG_SECONDS),
      [],
      'a store must not release leases of another one',
    )
    await own.releaseLeases(['a'])
    assert.equal(await other.acquireLeases(['a', 'b'], LONG_SECONDS), ['a'])
  }))

test('concurrent calls lease each name to one store only', () =>
  withStores(2, async (stores) => {
    const names = upTo(40).map((name) => `name-${name}`)
    const taken = await Promise.all(
      upTo(20).map((call) => {
        const { acquireLeases } = coordinatorOf(stores[call % 2 === 0 ? 0 : 1])
        return acquireLeases(call % 3 === 0 ? names.toReversed() : names, LONG_SECONDS)
      }),
    )
    const holders = new Set(
      taken.flatMap((leased, call) => leased.map((name) => `${name} ${(call + 1) % 2}`)),
    )
    assert.is(holders.size, names.length)
  }))

test('another store can acquire an expired lease', () =>
  withStores(2, async (stores) => {
    const [own, other] = [coordinatorOf(stores[0]), coordinatorOf(stores[1])]
    assert.equal(await own.acquireLeases(['a'], SHORT_SECONDS), ['a'])
    await until(async () => (await other.acquireLeases(['a'], LONG_SECONDS)).length === 1)
    assert.equal(
      await own.acquireLeases(['a'], LONG_SECONDS),
      [],
      'the former holder must not have the lease',
    )
  }))

test('close releases leases and keeps announcements', () =>
  withStores(1, async ([store], url) => {
    const other = await openAt(url)
    await coordinatorOf(other).acquireLeases(['a'], LONG_SECONDS)
    await coordinatorOf(other).announcePresence(['x'], LONG_SECONDS)
    await other.close()
    assert.equal(await coordinatorOf(store).acquireLeases(['a'], LONG_SECONDS), ['a'])
    assert.equal(await coordinatorOf(store).findAnnouncedElsewhere(['x']), ['x'])
  }))

test('announcements are visible to other stores until they expire or are withdrawn with a duration of 0', () =>
  withStores(2, async (stores) => {
    const [own, other] = [coordinatorOf(stores[0]), coordinatorOf(stores[1])]
    await own.announcePresence(['x', 'y'], LONG_SECONDS)
    assert.equal(await own.findAnnouncedElsewhere(['x', 'y']), [], 'own announcements must be excluded')
    assert.equal([...(await other.findAnnouncedElsewhere(['x', 'y', 'z']))].sort(), ['x', 'y'])
    await own.announcePresence(['x'], 0)
    assert.equal(await other.findAnnouncedElsewhere(['x', 'y']), ['y'])
    await own.announcePresence(['y'], SHORT_SECONDS)
    await until(async () => (await other.findAnnouncedElsewhere(['y'])).length === 0)
  }))

test('a transaction reads the clock of the database after it has acquired the lock', async () => {
  const read: number[] = []
  await withStores(1, async ([first], url) => {
    const second = await openAt(url, { sampleClock: () => (storeMs) => read.push(storeMs) })
    let endedMs = 0
    let own: Promise<unknown> = Promise.resolve()
    await first.transact(async () => {
      own = put(second, customer('cus_2'))
      await until(async () => (await connectionsAt(url, 'FOR UPDATE', 'Lock')) > 0)
      endedMs = await onDatabase(url, async (client) => {
        const { rows } = await client.query('SELECT extract(epoch FROM clock_timestamp())::float8 AS now')
        return Number(rows[0].now) * 1000
      })
      return commit(null, { writes: [{ put: customer('cus_1') }] })
    })
    await own
    assert.ok((read.at(-1) ?? 0) > endedMs)
    const before = read.length
    await coordinatorOf(second).heartbeat(1)
    assert.is(read.length, before + 1, 'heartbeat must sample the clock too')
    await second.close()
  })
})

test('open deletes only expired leases and presences', () =>
  withStores(1, async ([store], url) => {
    await coordinatorOf(store).acquireLeases(['kept'], LONG_SECONDS)
    await coordinatorOf(store).announcePresence(['kept'], LONG_SECONDS)
    await coordinatorOf(store).acquireLeases(['expired'], 0)
    await coordinatorOf(store).announcePresence(['expired'], 0)
    const other = await openAt(url)
    const left = await onDatabase(url, async (client) => {
      const tables = ['sandbox_leases', 'sandbox_presences'].map(
        (table) => `SELECT name FROM ${schemaOf(url)}.${table}`,
      )
      return (await client.query(tables.join(' UNION ALL '))).rows.map(({ name }) => name)
    })
    assert.equal(left, ['kept', 'kept'])
    await other.close()
  }))

test.run()
