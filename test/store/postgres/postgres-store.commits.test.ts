import pg from 'pg'
import type { Counter } from '../../../src/domain/core/counters.ts'
import { DomainError } from '../../../src/domain/core/domain-error.ts'
import type { Store, StoreReader } from '../../../src/store/port/store.ts'
import { dropDatabase, newDatabaseUrl, onDatabase, stopOwnPostgres } from '../../support/postgres.ts'
import { assert, suite } from '../../support/suite.ts'
import { commit, customer, event, put, rejection, remove, upTo, waitForNextTurn, write } from '../fixture.ts'
import { commitAlone, openAt, schemaOf, withStores } from './postgres-stores.ts'

const STORES = 3
const ROUNDS = 6
/** Transactions of each store in a round. */
const TRANSACTIONS = 12

const test = suite('store/commits to PostgreSQL')

test.after(stopOwnPostgres)

/** Returns the statements that all stores of this process send while `work` runs. */
async function statementsOf(work: () => Promise<unknown>): Promise<readonly string[]> {
  const { prototype } = pg.Client
  const { query } = prototype
  const sent: string[] = []
  prototype.query = function (this: object, ...args: unknown[]) {
    const [statement] = args
    sent.push(typeof statement === 'string' ? statement : (statement as pg.QueryConfig).text)
    return (query as (...args: unknown[]) => unknown).apply(this, args)
  } as typeof query
  await work().finally(() => {
    prototype.query = query
  })
  // Notifications are sent after the commit.
  return sent.filter((text) => !text.includes('pg_notify'))
}

const count = (texts: readonly string[], words: string) => texts.filter((text) => text.includes(words)).length

test('a store that is alone caches its reads and commits with one statement', () =>
  withStores(1, async ([store]) => {
    await commitAlone(store)
    const one = (id: string) =>
      store.transact(async (reader) => {
        await reader.list('webhook_endpoints', { limit: 100 })
        return commit(null, { writes: [{ put: customer(id) }], events: [event(`evt_${id}`)] })
      })
    await one('cus_1')
    const sent = await statementsOf(() => one('cus_2'))
    assert.is(sent.length, 1)
    assert.match(sent[0] ?? '', /^WITH newest AS/)
    assert.is(await store.count('customers'), 4)
    assert.is(await store.newestSequence(), 2)
  }))

test('queued transactions share one statement, and later transactions see earlier changes', () =>
  withStores(1, async ([store]) => {
    await commitAlone(store)
    await put(store, customer('cus_old'))
    const sent = await statementsOf(() =>
      Promise.all([
        write(store, { put: customer('cus_1') }),
        store.transact(async (reader) => {
          assert.is((await reader.get('customers', 'cus_1'))?.id, 'cus_1')
          const changed = customer('cus_1', { name: 'Joan' })
          return commit(null, { writes: [{ put: changed }, { put: customer('cus_2') }] })
        }),
        store.transact(async (reader) => {
          assert.equal(await reader.get('customers', 'cus_1'), customer('cus_1', { name: 'Joan' }))
          return commit(null, { writes: [{ put: customer('cus_3') }] })
        }),
      ]),
    )
    assert.is(count(sent, 'BEGIN'), 0)
    assert.is(count(sent, 'WITH newest'), 1)
    const { data } = await store.list('customers', { limit: 3 })
    assert.equal(
      data.map(({ id }) => id),
      ['cus_3', 'cus_2', 'cus_1'],
    )
  }))

test('a list, count or queue after a write in the same commit includes the write', () =>
  withStores(1, async ([store]) => {
    await commitAlone(store)
    const counted: unknown[] = []
    const add = (id: string, read: (reader: StoreReader) => Promise<unknown>) =>
      store.transact(async (reader) => {
        counted.push(await read(reader))
        return commit(null, { writes: [{ put: customer(id) }] })
      })
    const sent = await statementsOf(() =>
      Promise.all([
        add('cus_1', async () => 0),
        add('cus_2', (reader) => reader.count('customers')),
        add('cus_3', async (reader) => (await reader.list('customers', { limit: 2 })).data[0]?.id),
        add('cus_4', async (reader) => (await reader.listOldest('customers', 9)).length),
        add('cus_5', (reader) => reader.listDue('real', 1, 9)),
        add('cus_6', async (reader) => (await reader.get('customers', 'cus_5'))?.id),
      ]),
    )
    assert.equal(counted, [0, 3, 'cus_2', 5, [], 'cus_5'])
    assert.is(count(sent, 'COMMIT'), 2, 'BEGIN … READ COMMITTED and COMMIT')
    assert.is(await store.count('customers'), 8)
  }))

test('a record that is removed and stored again in one commit moves to the end', () =>
  withStores(1, async ([store]) => {
    await commitAlone(store)
    await put(store, customer('cus_1'), customer('cus_2'))
    await Promise.all([remove(store, customer('cus_1')), put(store, customer('cus_1'))])
    const oldest = await store.listOldest('customers', 9)
    assert.equal(
      oldest.slice(-2).map(({ id }) => id),
      ['cus_2', 'cus_1'],
    )
  }))

const STALE: Readonly<Record<string, (reader: StoreReader) => Promise<unknown>>> = {
  'has changes': async (reader) => (await reader.count('invoices')) + (await reader.count('customers')),
  'has a result without changes': (reader) => reader.count('customers'),
  'throws an error': async (reader) => {
    const found = await reader.count('customers')
    if (found === 2) throw new DomainError('customer_missing', 'No such customer.')
    return found
  },
}

for (const [what, read] of Object.entries(STALE)) {
  test(`a transaction that ${what} runs again when its cached reads are older than a commit of another store`, () =>
    withStores(2, async ([store, other]) => {
      await commitAlone(store)
      await store.transact(async (reader) => commit(await reader.count('customers')))
      await put(other, customer('cus_other'))
      let runs = 0
      const { result } = await store.transact(async (reader) => {
        runs += 1
        const found = await read(reader)
        const writes = what === 'has changes' ? [{ put: customer('cus_own') }] : []
        return commit(found, { writes })
      })
      assert.equal([result, runs], [3, 2])
      assert.is(await other.count('customers'), what === 'has changes' ? 4 : 3)
    }))
}

test('a transaction runs again when another store commits during the transaction', () =>
  withStores(2, async ([store, other]) => {
    await commitAlone(store)
    let runs = 0
    const { events } = await store.transact(async (reader) => {
      runs += 1
      const known = await reader.get('customers', 'cus_other')
      if (known === null) await write(other, { put: customer('cus_other') }, { put: customer('cus_1') })
      return commit(null, { writes: [{ remove: customer('cus_1') }], events: [event('evt_1')] })
    })
    assert.is(runs, 2)
    assert.is(events[0]?.sequence, 1)
    assert.is(await other.get('customers', 'cus_1'), null)
  }))

test('after a commit of another store, a store locks the sandbox for its next nine commits', () =>
  withStores(2, async ([store, other]) => {
    await commitAlone(store)
    const isLocked = async () => count(await statementsOf(() => put(store, customer('cus_1'))), 'FOR UPDATE')
    assert.is(await isLocked(), 0)
    await put(other, customer('cus_2'))
    for (const _ of upTo(9)) assert.is(await isLocked(), 1)
    assert.is(await isLocked(), 0)
    for (const _ of upTo(3)) {
      await put(other, customer('cus_2'))
      await isLocked()
      await put(other, customer('cus_2'))
      assert.is(await isLocked(), 1, 'a store that takes turns must lock at once')
    }
  }))

test('a store commits nothing to a sandbox that was deleted, even if its sequence number is unchanged', () =>
  withStores(1, async ([store], url) => {
    await commitAlone(store)
    await onDatabase(url, (client) => client.query(`UPDATE ${schemaOf(url)}.head SET is_deleted = true`))
    const error = await rejection(put(store, customer('cus_1')))
    assert.match(error.message, 'The sandbox was deleted, so nothing was stored.')
    const rows = await onDatabase(url, (client) =>
      client.query(`SELECT 1 FROM ${schemaOf(url)}.records WHERE id = 'cus_1'`),
    )
    assert.is(rows.rowCount, 0)
  }))

const counter = (value: number): Counter => ({ id: 'invoice_number', object: 'counter', value })

/** Increments a counter with an event that has its value in its id; yields between the read and the write. */
async function increment(store: Store): Promise<void> {
  await store.transact(async (reader) => {
    const value = ((await reader.get('counters', 'invoice_number'))?.value ?? 0) + 1
    await waitForNextTurn()
    const writes = [{ put: counter(value) }, { put: customer(`cus_${value}`) }]
    return commit(null, { writes, events: [event(`evt_${value}`)] })
  })
}

test('several stores lose no change and number events without gaps, alone and concurrently', async () => {
  const url = await newDatabaseUrl()
  const stores = await Promise.all(upTo(STORES).map(() => openAt(url)))
  let done = 0
  for (const round of upTo(ROUNDS)) {
    // In every other round, only one store commits; its first commits overlap the last commits of the previous round.
    const active = round % 2 === 0 ? stores : stores.slice(0, 1 + (round % 3)).slice(-1)
    await Promise.all(
      active.map(async (store) => {
        for (const number of upTo(TRANSACTIONS))
          await Promise.all(upTo(number % 4 === 0 ? 3 : 1).map(() => increment(store)))
      }),
    )
    done += active.length * (TRANSACTIONS + 2 * (TRANSACTIONS / 4))
  }
  const [store] = stores
  assert.is((await store?.get('counters', 'invoice_number'))?.value, done)
  const events = (await store?.listOldest('events', 2 * done)) ?? []
  assert.equal(
    events.map(({ sequence, id }) => [sequence, id]),
    upTo(done).map((value) => [value, `evt_${value}`]),
  )
  assert.is(await store?.count('customers'), done)
  for (const one of stores) await one.close()
  await dropDatabase(url)
})

test.run()
