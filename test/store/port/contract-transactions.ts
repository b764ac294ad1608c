import type { StoredObject } from '../../../src/domain/core/changes.ts'
import type { Counter } from '../../../src/domain/core/counters.ts'
import type { Store, StoreReader } from '../../../src/store/port/store.ts'
import { assert } from '../../support/suite.ts'
import {
  type ContractTests,
  commit,
  customer,
  idsOf,
  put,
  rejection,
  upTo,
  waitForNextTurn,
  write,
} from '../fixture.ts'
import { SAMPLES } from '../samples.ts'

const MANY = 100

const counterOf = async (reader: StoreReader) => (await reader.get('counters', 'invoice_number'))?.value ?? 0

const counter = (value: number): Counter => ({ id: 'invoice_number', object: 'counter', value })

/** Increments the invoice number, and yields between the read and the write. */
async function increment(store: Store): Promise<number> {
  const { result } = await store.transact(async (reader) => {
    const value = (await counterOf(reader)) + 1
    await waitForNextTurn()
    return commit(value, { writes: [{ put: counter(value) }] })
  })
  return result
}

/** Contract of get, put, remove and transact, also for concurrent calls. */
export const transactions: ContractTests = {
  'stores records with ids such as __proto__': async ({ store }) => {
    for (const id of ['__proto__', 'constructor', '']) {
      assert.is(await store.get('customers', id), null)
      await put(store, customer(id, { email: id }))
      assert.equal(await store.get('customers', id), customer(id, { email: id }))
      assert.equal(await idsOf(store, 'customers', { where: { email: id } }), [id])
    }
  },

  'a transaction resolves with the result of its work': async ({ store }) => {
    const result = { kept: ['as', 'it', 'is'] }
    assert.is((await store.transact(async () => commit(result))).result, result)
    assert.is((await store.transact(async () => commit(undefined))).result, undefined)
    assert.equal((await store.transact(async () => commit(null))).events, [])
  },

  'a transaction rejects with the error of its work and stores nothing': async ({ store }) => {
    const reason = new Error('failed')
    const failed = store.transact(async (reader) => {
      await reader.get('customers', 'cus_1')
      throw reason
    })
    assert.is(await rejection(failed), reason)
    assert.equal(await idsOf(store, 'customers'), [])
    await put(store, customer('cus_1'))
    assert.equal(await idsOf(store, 'customers'), ['cus_1'])
  },

  'a transaction with a record of an unknown type stores nothing': async ({ store }) => {
    const stray: StoredObject = { id: 'x_1', object: 'unknown' }
    await put(store, customer('cus_1'), customer('cus_2'))
    const failed = write(store, { put: customer('cus_3') }, { remove: customer('cus_1') }, { put: stray })
    assert.match((await rejection(failed)).message, 'unknown')
    assert.is(await store.get('customers', 'cus_3'), null)
    assert.equal(await idsOf(store, 'customers'), ['cus_2', 'cus_1'])
  },

  'concurrent increments lose no update': async ({ store, reopen }) => {
    const taken = await Promise.all(upTo(MANY).map(() => increment(store)))
    assert.equal(
      taken.sort((a, b) => a - b),
      upTo(MANY),
    )
    assert.is(await counterOf(await reopen()), MANY)
  },

  'only one of several concurrent transactions finds the list empty before its insert': async ({ store }) => {
    const outcomes = await Promise.all(
      upTo(20).map((number) =>
        store.transact(async (reader) => {
          const { data } = await reader.list('customers', { where: { email: 'one@example.com' }, limit: 1 })
          await waitForNextTurn()
          if (data.length > 0) return commit(false)
          return commit(true, { writes: [{ put: customer(`cus_${number}`, { email: 'one@example.com' }) }] })
        }),
      ),
    )
    assert.is(outcomes.filter(({ result }) => result).length, 1)
    assert.is((await idsOf(store, 'customers')).length, 1)
  },

  'a transaction never sees a part of another one': async ({ store }) => {
    const pair = (value: number) => [{ ...SAMPLES.invoices, id: 'in_a', total: value }, counter(-value)]
    await put(store, ...pair(0))
    const sums = await Promise.all(
      upTo(MANY).map(async (number) => {
        if (number % 2 === 0) await put(store, ...pair(number))
        const { result } = await store.transact(async (reader) => {
          const invoice = await reader.get('invoices', 'in_a')
          await waitForNextTurn()
          return commit((invoice?.total ?? Number.NaN) + (await counterOf(reader)))
        })
        return result
      }),
    )
    assert.equal([...new Set(sums)], [0])
  },

  'close finishes running transactions and rejects later ones': async ({ store, reopen }) => {
    const names = upTo(MANY).map((number) => `cus_${number}`)
    const running = names.map((name) =>
      store.transact(async () => {
        await waitForNextTurn()
        return commit(name, { writes: [{ put: customer(name) }] })
      }),
    )
    const closing = store.close()
    assert.instance(await rejection(put(store, customer('cus_late'))), Error)
    await closing
    const kept = await idsOf(await reopen(), 'customers')
    assert.equal(kept.reverse(), names)
    const results = (await Promise.all(running)).map(({ result }) => result)
    assert.equal(results, names)
  },
}
