import type { Store } from '../../../src/store/port/store.ts'
import { onDatabase, stopOwnPostgres } from '../../support/postgres.ts'
import { assert, suite } from '../../support/suite.ts'
import { commit, customer, event, put } from '../fixture.ts'
import {
  connectionsAt,
  endConnections,
  openAt,
  schemaOf,
  sharingOf,
  until,
  withStores,
} from './postgres-stores.ts'

const TRANSACTIONS = 150
/** Stores that take turns, and how often each does. */
const STRICT = 5
const TURNS = 20
/** Long enough that it cannot be over by itself while a test runs. */
const LONG_SECONDS = 600
const SHORT_SECONDS = 0.2

const test = suite('store/several at one PostgreSQL database')

test.after(stopOwnPostgres)

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

test('transactions of two stores number their events without a gap, and none twice', () =>
  withStores(2, async (stores) => {
    const committed = await Promise.all(
      upTo(TRANSACTIONS).map((number) =>
        stores[number % 2 === 0 ? 0 : 1].transact(async () =>
          commit(null, { events: [event(`evt_${number}_a`), event(`evt_${number}_b`)] }),
        ),
      ),
    )
    const given = committed.map(({ events }) => events.map(({ sequence }) => sequence))
    assert.equal(
      given.flat().sort((a, b) => a - b),
      upTo(2 * TRANSACTIONS),
    )
    for (const [first = 0, second] of given) assert.is(second, first + 1, 'those of one transaction follow')
    for (const store of stores) assert.is(await store.newestSequence(), 2 * TRANSACTIONS)
  }))

test('a transaction sees what another store has stored before it, so that nothing is counted twice', () =>
  withStores(2, async (stores) => {
    const one = (number: number) =>
      stores[number % 2 === 0 ? 0 : 1].transact(async (reader) => {
        const count = (await reader.count('customers')) + 1
        return commit(count, { writes: [{ put: customer(`cus_${number}`) }] })
      })
    const counted = await Promise.all(upTo(TRANSACTIONS).map(one))
    assert.equal(
      counted.map(({ result }) => result).sort((a, b) => a - b),
      upTo(TRANSACTIONS),
    )
  }))

test('it is the same where transactions are serializable unless they say otherwise', () =>
  withStores(1, async ([store], url) => {
    const strict = new URL(url)
    strict.searchParams.set('options', '-c default_transaction_isolation=serializable')
    const others = await Promise.all(upTo(STRICT).map(() => openAt(strict.href)))
    const writing = others.map(async (other, place) => {
      for (const number of upTo(TURNS)) {
        await other.transact(async (reader) => {
          await reader.count('events')
          return commit(null, { events: [event(`evt_${place}_${number}`)] })
        })
      }
    })
    await Promise.all(writing)
    assert.is(await store.newestSequence(), STRICT * TURNS)
    for (const other of others) await other.close()
  }))

/** What a store hears of another one. */
interface Ear {
  /** How often it has heard something. */
  readonly heard: () => number
  /** How many changes the other one has made. */
  readonly told: () => number
  /** Has the other one make one more. */
  readonly tell: () => Promise<void>
}

/** Lets a store listen to another one; resolves when it hears. */
async function listening(own: Store, other: Store): Promise<Ear> {
  let [heard, told] = [0, 0]
  const tell = async () => {
    told += 1
    await put(other, customer('cus_next'))
  }
  sharingOf(own).onChange(() => {
    heard += 1
  })
  await until(async () => {
    await tell()
    return heard > 0
  })
  return { heard: () => heard, told: () => told, tell }
}

/** Resolves when a store has heard something after another one has made one more change. */
async function hears({ heard, tell }: Ear): Promise<void> {
  const before = heard()
  await tell()
  await until(() => heard() > before)
}

test('each store hears of the changes of the other, and not of its own', () =>
  withStores(2, async ([one, two]) => {
    const [first, second] = [await listening(one, two), await listening(two, one)]
    await hears(second)
    await hears(first)
    // More than it can have missed before it listened.
    for (const _ of upTo(first.told() + 5)) await put(one, customer('cus_own'))
    await hears(second)
    await hears(first)
    // That it listens is told, too.
    assert.ok(first.heard() <= first.told() + 1, 'its own change is no news')
  }))

test('a store whose ear was cut off listens again, once, when it next asks for a lease, even for none', () =>
  withStores(2, async ([store, other], url) => {
    const ear = await listening(store, other)
    await until(async () => (await connectionsAt(url, 'LISTEN')) === 1)
    await endConnections(url, 'LISTEN')
    // What was told before comes before its end.
    await until(async () => (await connectionsAt(url, 'LISTEN')) === 0)
    const before = ear.heard()
    await until(async () => {
      await Promise.all([1, 2, 3].map(() => sharingOf(store).take([], LONG_SECONDS)))
      return ear.heard() > before
    })
    await hears(ear)
    assert.is(await connectionsAt(url, 'LISTEN'), 1)
  }))

test('each store knows how many there are, until they end or are not heard of any more', () =>
  withStores(2, async ([one, two], url) => {
    assert.is(await sharingOf(one).attend(LONG_SECONDS), 1)
    assert.is(await sharingOf(two).attend(LONG_SECONDS), 2)
    const third = await openAt(url)
    await sharingOf(third).attend(LONG_SECONDS)
    assert.is(await sharingOf(one).attend(LONG_SECONDS), 3)
    await third.close()
    assert.is(await sharingOf(one).attend(LONG_SECONDS), 2)
    await sharingOf(two).attend(SHORT_SECONDS)
    await until(async () => (await sharingOf(one).attend(LONG_SECONDS)) === 1)
  }))

test('a store takes as many names as it says, those that it has first', () =>
  withStores(2, async ([one, two]) => {
    const [own, other] = [sharingOf(one), sharingOf(two)]
    const names = ['a', 'b', 'c', 'd']
    assert.equal(await own.take(['c'], LONG_SECONDS, 1), ['c'])
    const taken = await own.take(names, LONG_SECONDS, 2)
    assert.is(taken.length, 2)
    assert.ok(taken.includes('c'))
    const rest = await other.take(names, LONG_SECONDS, 3)
    assert.equal([...taken, ...rest].sort(), names)
    assert.equal(await other.take(names, LONG_SECONDS, 0), [])
  }))

test('what one store has taken no other gets, until it gives it back', () =>
  withStores(2, async (stores) => {
    const [own, other] = [sharingOf(stores[0]), sharingOf(stores[1])]
    assert.equal([...(await own.take(['b', 'a'], LONG_SECONDS))].sort(), ['a', 'b'])
    assert.equal(await other.take(['a', 'b', 'c'], LONG_SECONDS), ['c'])
    assert.equal(
      [...(await own.take(['a', 'b', 'c'], LONG_SECONDS))].sort(),
      ['a', 'b'],
      'asking again keeps it',
    )
    await other.release(['a'])
    assert.equal(await other.take(['a'], LONG_SECONDS), [], 'nobody gives back what another has')
    await own.release(['a'])
    assert.equal(await other.take(['a', 'b'], LONG_SECONDS), ['a'])
  }))

test('of many that ask at once for the same names each goes to one', () =>
  withStores(2, async (stores) => {
    const asked = upTo(40).map((name) => `name-${name}`)
    const taken = await Promise.all(
      upTo(20).map((turn) => {
        const { take } = sharingOf(stores[turn % 2 === 0 ? 0 : 1])
        return take(turn % 3 === 0 ? asked.toReversed() : asked, LONG_SECONDS)
      }),
    )
    const holders = new Set(taken.flatMap((names, turn) => names.map((name) => `${name} ${(turn + 1) % 2}`)))
    assert.is(holders.size, asked.length)
  }))

test('a lease that is over goes to whoever asks', () =>
  withStores(2, async (stores) => {
    const [own, other] = [sharingOf(stores[0]), sharingOf(stores[1])]
    assert.equal(await own.take(['a'], SHORT_SECONDS), ['a'])
    await until(async () => (await other.take(['a'], LONG_SECONDS)).length === 1)
    assert.equal(await own.take(['a'], LONG_SECONDS), [], 'whoever let it go has it no more')
  }))

test('a store that closes gives its leases back, and its announcements go on', () =>
  withStores(1, async ([store], url) => {
    const other = await openAt(url)
    await sharingOf(other).take(['a'], LONG_SECONDS)
    await sharingOf(other).announce(['x'], LONG_SECONDS)
    await other.close()
    assert.equal(await sharingOf(store).take(['a'], LONG_SECONDS), ['a'])
    assert.equal(await sharingOf(store).announcedElsewhere(['x']), ['x'])
  }))

test('an announcement is heard by the others for so long, and 0 takes it back', () =>
  withStores(2, async (stores) => {
    const [own, other] = [sharingOf(stores[0]), sharingOf(stores[1])]
    await own.announce(['x', 'y'], LONG_SECONDS)
    assert.equal(await own.announcedElsewhere(['x', 'y']), [], 'not by itself')
    assert.equal([...(await other.announcedElsewhere(['x', 'y', 'z']))].sort(), ['x', 'y'])
    await own.announce(['x'], 0)
    assert.equal(await other.announcedElsewhere(['x', 'y']), ['y'])
    await own.announce(['y'], SHORT_SECONDS)
    await until(async () => (await other.announcedElsewhere(['y'])).length === 0)
  }))

test('a transaction reads the clock of the database after it has waited for the one before it', async () => {
  const read: number[] = []
  await withStores(1, async ([first], url) => {
    const second = await openAt(url, () => (storeMs) => read.push(storeMs))
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
    await sharingOf(second).attend(1)
    assert.is(read.length, before + 1, 'and whoever is idle hears of it, too')
    await second.close()
  })
})

test('a start removes what processes that were killed have left, and nothing else', () =>
  withStores(1, async ([store], url) => {
    await sharingOf(store).take(['kept'], LONG_SECONDS)
    await sharingOf(store).announce(['kept'], LONG_SECONDS)
    await sharingOf(store).take(['over'], 0)
    await sharingOf(store).announce(['over'], 0)
    const other = await openAt(url)
    const left = await onDatabase(url, async (client) => {
      const tables = ['leases', 'presences'].map((table) => `SELECT name FROM ${schemaOf(url)}.${table}`)
      return (await client.query(tables.join(' UNION ALL '))).rows.map(({ name }) => name)
    })
    assert.equal(left, ['kept', 'kept'])
    await other.close()
  }))

test.run()
