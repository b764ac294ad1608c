import type { StoredObject } from '../../../src/domain/core/changes.ts'
import type { Counter } from '../../../src/domain/core/counters.ts'
import type { Store, StoreReader } from '../../../src/store/port/store.ts'
import { assert } from '../../support/suite.ts'
import {
  type ContractTests,
  commit,
  customer,
  idsOf,
  nextTurn,
  put,
  rejection,
  remove,
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
    await nextTurn()
    return commit(value, { writes: [{ put: counter(value) }] })
  })
  return result
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

/** Contract of get, put, remove and transact, also for concurrent calls. */
export const transactions: ContractTests = {
  'get returns the stored record, or null when it does not exist': async ({ store }) => {
    await put(store, customer('cus_1'))
    assert.equal(await store.get('customers', 'cus_1'), customer('cus_1'))
    assert.is(await store.get('customers', 'cus_2'), null)
    assert.is(await store.get('invoices', 'cus_1'), null)
  },

  'stores records with ids such as __proto__': async ({ store }) => {
    for (const id of ['__proto__', 'constructor', '']) {
      assert.is(await store.get('customers', id), null)
      await put(store, customer(id, { email: id }))
      assert.equal(await store.get('customers', id), customer(id, { email: id }))
      assert.equal(await idsOf(store, 'customers', { where: { email: id } }), [id])
    }
  },

  'put replaces the record with its id and no other': async ({ store }) => {
    await put(store, customer('cus_1'), customer('cus_2'))
    await put(store, customer('cus_1', { name: 'Joan' }))
    assert.is((await store.get('customers', 'cus_1'))?.object, 'customer')
    assert.equal(await store.get('customers', 'cus_1'), customer('cus_1', { name: 'Joan' }))
    assert.equal(await store.get('customers', 'cus_2'), customer('cus_2'))
    assert.equal(await idsOf(store, 'customers'), ['cus_2', 'cus_1'])
  },

  'records with the same id in two collections are independent': async ({ store }) => {
    const { webhook_endpoints: endpoint, webhook_secrets: secret } = SAMPLES
    assert.is(endpoint.id, secret.id)
    await put(store, endpoint, secret)
    await remove(store, endpoint)
    assert.is(await store.get('webhook_endpoints', endpoint.id), null)
    assert.equal(await store.get('webhook_secrets', secret.id), secret)
  },

  'removing a missing record changes nothing': async ({ store }) => {
    await put(store, customer('cus_1'))
    await remove(store, customer('cus_2'))
    assert.equal(await idsOf(store, 'customers'), ['cus_1'])
  },

  'applies the writes of a transaction in order': async ({ store }) => {
    const [first, second, third] = [customer('cus_1'), customer('cus_2'), customer('cus_3')]
    const changed = customer('cus_2', { name: 'Joan' })
    await write(store, { put: first }, { remove: first }, { put: second }, { put: changed }, { put: third })
    await write(store, { remove: third }, { put: third })
    assert.is(await store.get('customers', 'cus_1'), null)
    assert.equal(await store.get('customers', 'cus_2'), changed)
    assert.equal(await idsOf(store, 'customers'), ['cus_3', 'cus_2'])
  },

  'a transaction resolves with the result of its work': async ({ store }) => {
    const result = { kept: ['as', 'it', 'is'] }
    assert.is((await store.transact(async () => commit(result))).result, result)
    assert.is((await store.transact(async () => commit(undefined))).result, undefined)
    assert.equal((await store.transact(async () => commit(null))).events, [])
  },

  'a transaction reads the data of earlier transactions': async ({ store }) => {
    await put(store, customer('cus_1'))
    const { result } = await store.transact(async (reader) => {
      const page = await reader.list('customers', { where: { email: 'jane@example.com' }, limit: 1 })
      return commit([await reader.get('customers', 'cus_1'), ...page.data])
    })
    assert.equal(result, [customer('cus_1'), customer('cus_1')])
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
    const taken = await Promise.all(numbers(MANY).map(() => increment(store)))
    assert.equal(
      taken.sort((a, b) => a - b),
      numbers(MANY),
    )
    assert.is(await counterOf(await reopen()), MANY)
  },

  'concurrent increments leave no gap when some of them throw': async ({ store }) => {
    const outcomes = await Promise.allSettled(
      numbers(MANY).map(async (number) => {
        if (number % 3 > 0) return increment(store)
        return store.transact(async (reader) => {
          throw new Error(`failed at ${await counterOf(reader)}`)
        })
      }),
    )
    const taken = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
    assert.is(taken.length, 67)
    assert.equal(
      taken.map(Number).sort((a, b) => a - b),
      numbers(67),
    )
  },

  'only one of several concurrent transactions finds the list empty before its insert': async ({ store }) => {
    const outcomes = await Promise.all(
      numbers(20).map((number) =>
        store.transact(async (reader) => {
          const { data } = await reader.list('customers', { where: { email: 'one@example.com' }, limit: 1 })
          await nextTurn()
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
      numbers(MANY).map(async (number) => {
        if (number % 2 === 0) await put(store, ...pair(number))
        const { result } = await store.transact(async (reader) => {
          const invoice = await reader.get('invoices', 'in_a')
          await nextTurn()
          return commit((invoice?.total ?? Number.NaN) + (await counterOf(reader)))
        })
        return result
      }),
    )
    assert.equal([...new Set(sums)], [0])
  },

  'close finishes running transactions and rejects later ones': async ({ store, reopen }) => {
    const names = numbers(10).map((number) => `cus_${number}`)
    const running = names.map((name) =>
      store.transact(async () => {
        await nextTurn()
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
