import type { Counter } from '../../../src/domain/core/counters.ts'
import { getClockQueue, REAL_TIME_QUEUE } from '../../../src/domain/schedule/deadlines.ts'
import { COLLECTION_NAMES } from '../../../src/store/port/collections.ts'
import type { SandboxLocation } from '../../../src/store/port/database.ts'
import type { Store, StoreContents } from '../../../src/store/port/store.ts'
import { assert } from '../../support/suite.ts'
import {
  commit,
  customer,
  type DatabaseTests,
  dueIds,
  event,
  idsOf,
  paymentSession,
  put,
  remove,
} from '../fixture.ts'
import { SAMPLES } from '../samples.ts'

const MAX_TIME = Number.MAX_SAFE_INTEGER

/** Stores a customer and its event in one transaction. */
async function announce(store: Store, id: string): Promise<number> {
  const record = customer(`cus_${id}`)
  const { events } = await store.transact(async () =>
    commit(null, {
      writes: [{ put: record }],
      events: [event(`evt_${id}`, { data: { object: record } })],
    }),
  )
  return events[0]?.sequence ?? 0
}

const emailOf = async (store: Store, id: string) => {
  const record = await store.get('customers', id)
  return record !== null && 'email' in record ? record.email : null
}

const idsIn = ({ records }: StoreContents) => records.customers.map(({ id }) => id)

/** Contract of the stores of a database, for sandboxes of one storage. */
export const sandboxes: DatabaseTests = {
  'records with equal ids in several sandboxes are different records': async ({ database, a, b }) => {
    const stores = [database.defaultStore, await database.openSandbox(a), await database.openSandbox(b)]
    for (const [at, store] of stores.entries())
      await put(store, customer('cus_1', { email: `${at}@x.example` }))
    for (const [at, store] of stores.entries()) assert.is(await emailOf(store, 'cus_1'), `${at}@x.example`)
    await remove(stores[1] as Store, customer('cus_1'))
    assert.equal(await Promise.all(stores.map((store) => emailOf(store, 'cus_1'))), [
      '0@x.example',
      null,
      '2@x.example',
    ])
  },

  'lists, filters, counts and queues of a sandbox contain only its records': async ({ database, a, b }) => {
    const stores = [database.defaultStore, await database.openSandbox(a), await database.openSandbox(b)]
    for (const [at, store] of stores.entries()) {
      await put(store, customer(`cus_${at}`, { email: 'same@x.example' }))
      await put(store, paymentSession(`py_${at}`, { expires_at: 10 }))
    }
    for (const [at, store] of stores.entries()) {
      assert.equal(await idsOf(store, 'customers'), [`cus_${at}`])
      assert.equal(await idsOf(store, 'customers', { where: { email: 'same@x.example' } }), [`cus_${at}`])
      assert.equal(
        (await store.listOldest('customers', 10)).map(({ id }) => id),
        [`cus_${at}`],
      )
      assert.is(await store.count('customers'), 1)
      assert.is(await store.count('invoices'), 0)
      assert.equal(await dueIds(store, REAL_TIME_QUEUE, { until: MAX_TIME }), [`py_${at}`])
      assert.is(await store.get('customers', `cus_${at + 1}`), null)
    }
  },

  'each sandbox has its own event sequence': async ({ database, a, b }) => {
    const [first, second] = [await database.openSandbox(a), await database.openSandbox(b)]
    assert.is(await announce(database.defaultStore, '1'), 1)
    assert.is(await announce(database.defaultStore, '2'), 2)
    assert.is(await announce(first, '1'), 1)
    assert.is(await announce(second, '1'), 1)
    assert.is(await announce(first, '2'), 2)
    assert.equal([await first.newestSequence(), await second.newestSequence()], [2, 1])
  },

  'transactions of several sandboxes at the same time see only their own records': async ({
    database,
    a,
    b,
  }) => {
    const stores = [database.defaultStore, await database.openSandbox(a), await database.openSandbox(b)]
    const increment = (store: Store) =>
      store.transact(async (reader) => {
        const value = ((await reader.get('counters', 'invoice_number'))?.value ?? 0) + 1
        const counter: Counter = { ...SAMPLES.counters, id: 'invoice_number', value }
        return commit(value, { writes: [{ put: counter }] })
      })
    await Promise.all(Array.from({ length: 10 }, () => stores.map(increment)).flat())
    for (const store of stores) assert.is((await store.get('counters', 'invoice_number'))?.value, 10)
  },

  'nextDeadline is the earliest deadline in real time of the sandbox': async ({ database, a }) => {
    const store = await database.openSandbox(a)
    assert.is(await store.nextDeadline(), null)
    await put(database.defaultStore, paymentSession('py_1', { expires_at: 5 }))
    assert.is(await store.nextDeadline(), null)
    await put(store, paymentSession('py_1', { expires_at: 30 }), paymentSession('py_2', { expires_at: 20 }))
    assert.is(await store.nextDeadline(), 20)
    await put(store, paymentSession('py_3', { expires_at: 10, test_clock: 'clock_1' }))
    assert.equal(await dueIds(store, getClockQueue('clock_1'), { until: 10 }), ['py_3'])
    assert.is(await store.nextDeadline(), 20)
    await remove(store, paymentSession('py_2'))
    assert.is(await store.nextDeadline(), 30)
  },

  'capture returns every record of every collection, and writeSandbox stores them': async ({
    database,
    a,
    b,
  }) => {
    const source = await database.openSandbox(a)
    const { events: _event, ...samples } = SAMPLES
    await put(source, ...Object.values(samples))
    await announce(source, '1')
    await put(source, customer('cus_new', { created: 5 }), customer('cus_old', { created: 1 }))
    const contents = await source.capture()
    assert.equal(idsIn(contents), ['cus_sample', 'cus_1', 'cus_new', 'cus_old'])
    assert.is(contents.sequence, 1)
    await database.writeSandbox(b, contents)
    const copy = await database.openSandbox(b)
    assert.equal(await copy.capture(), contents)
    for (const name of COLLECTION_NAMES) {
      assert.equal(await idsOf(copy, name), await idsOf(source, name), name)
      assert.is(await copy.count(name), await source.count(name), name)
    }
    const all = { until: MAX_TIME }
    assert.equal(await dueIds(copy, REAL_TIME_QUEUE, all), await dueIds(source, REAL_TIME_QUEUE, all))
  },

  'a copy and its source change independently': async ({ database, a, b }) => {
    const source = await database.openSandbox(a)
    await announce(source, '1')
    await database.writeSandbox(b, await source.capture())
    const copy = await database.openSandbox(b)
    await put(copy, customer('cus_1', { email: 'copy@x.example' }))
    await put(source, customer('cus_2'))
    assert.is(await announce(copy, 'copy'), 2)
    assert.is(await announce(source, 'source'), 2)
    assert.is(await emailOf(source, 'cus_1'), SAMPLES.customers.email)
    assert.is(await emailOf(copy, 'cus_1'), 'copy@x.example')
    assert.is(await copy.get('customers', 'cus_2'), null)
    assert.is(await source.get('events', 'evt_copy'), null)
  },

  'writeSandbox replaces everything in the sandbox and nothing elsewhere': async ({ database, a, b }) => {
    const { defaultStore } = database
    await announce(defaultStore, 'default')
    const kept = await database.openSandbox(b)
    await announce(kept, 'kept')
    const replaced = await database.openSandbox(a)
    await announce(replaced, '1')
    const earlier = await replaced.capture()
    await announce(replaced, '2')
    await announce(replaced, '3')
    await put(replaced, paymentSession('py_1', { expires_at: 10 }))
    await replaced.close()
    await database.writeSandbox(a, earlier)
    const store = await database.openSandbox(a)
    assert.equal(await store.capture(), earlier)
    assert.is(await store.nextDeadline(), null)
    assert.is(await announce(store, 'next'), 2)
    assert.equal(idsIn(await kept.capture()), ['cus_kept'])
    assert.equal(idsIn(await defaultStore.capture()), ['cus_default'])
  },

  'deleteSandbox deletes everything in the sandbox and nothing elsewhere': async ({ database, a, b }) => {
    const origin: SandboxLocation = { ...a, id: `${a.id}-origin` }
    const places = [a, b, origin]
    for (const place of places) {
      const store = await database.openSandbox(place)
      await announce(store, '1')
      await store.close()
    }
    await announce(database.defaultStore, '1')
    await database.deleteSandbox(a)
    await database.deleteSandbox(a)
    await database.deleteSandbox({ ...a, id: 'sbx_unknown' })
    for (const place of places) {
      const store = await database.openSandbox(place)
      assert.equal(await idsOf(store, 'customers'), place === a ? [] : ['cus_1'], place.id)
      assert.is(await store.newestSequence(), place === a ? 0 : 1)
      await store.close()
    }
    assert.equal(await idsOf(database.defaultStore, 'customers'), ['cus_1'])
  },

  'a capture contains all acknowledged transactions and no part of another': async ({ database, a }) => {
    const store = await database.openSandbox(a)
    const captures: Promise<void>[] = []
    let acknowledged = 0
    const check = async () => {
      const atLeast = acknowledged
      const { records, sequence } = await store.capture()
      assert.ok(sequence >= atLeast, `${sequence} events after ${atLeast} acknowledged transactions`)
      assert.equal(
        records.events.map((one) => one.sequence),
        Array.from({ length: sequence }, (_, at) => at + 1),
      )
      assert.equal(
        records.customers.map(({ id }) => id),
        records.events.map(({ data }) => data.object.id),
      )
    }
    const writeAll = Array.from({ length: 4 }, async (_, writer) => {
      for (let number = 0; number < 10; number += 1) {
        captures.push(check())
        await announce(store, `${writer}_${number}`)
        acknowledged += 1
      }
    })
    await Promise.all(writeAll)
    await Promise.all(captures)
    assert.is((await store.capture()).sequence, 40)
  },

  'a closed store of a sandbox rejects transactions and captures': async ({ database, a }) => {
    const store = await database.openSandbox(a)
    await announce(store, '1')
    await store.close()
    for (const use of [() => put(store, customer('cus_2')), () => store.capture()]) {
      const outcome = await use().then(
        () => 'was accepted',
        () => 'was rejected',
      )
      assert.is(outcome, 'was rejected')
    }
    const again = await database.openSandbox(a)
    assert.equal(await idsOf(again, 'customers'), ['cus_1'])
  },

  'a reopened database has the durable sandboxes and no others': async ({ database, reopen, a, b }) => {
    await announce(database.defaultStore, 'default')
    const [first, second] = [await database.openSandbox(a), await database.openSandbox(b)]
    await announce(first, '1')
    await announce(second, '2')
    const contents = await first.capture()
    await first.close()
    await second.close()
    const origin: SandboxLocation = { ...a, id: `${a.id}-origin` }
    await database.writeSandbox(origin, contents)
    const reopened = await reopen()
    for (const place of [a, origin]) {
      const store = await reopened.openSandbox(place)
      const found = await store.capture()
      if (a.storage === 'durable') assert.equal(found, contents)
      else assert.equal([found.sequence, idsIn(found)], [0, []])
      await store.close()
    }
  },
}
