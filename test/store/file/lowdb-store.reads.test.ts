import type { Store } from '../../../src/store/port/store.ts'
import { assert, suite } from '../../support/suite.ts'
import {
  commit,
  customer,
  event,
  idsOf,
  nextTurn,
  paymentSession,
  put,
  rejection,
  remove,
} from '../fixture.ts'
import { breakDisk, type FailingDisk } from './failing-disk.ts'
import { createDatabaseFolder, type DatabaseFolder } from './lowdb-folder.ts'

const test = suite<{ place: DatabaseFolder; store: Store; disk: FailingDisk }>('store/lowdb reads')

test.before.each(async (context) => {
  context.place = await createDatabaseFolder()
  context.store = await context.place.open()
  await put(context.store, customer('cus_1'), customer('cus_2'), paymentSession('py_1'))
  context.disk = await breakDisk()
})

test.after.each(async ({ place, disk }) => {
  disk.repair()
  await place.dispose()
})

/** Collects the results of settled reads by name. */
function watch(reads: Readonly<Record<string, Promise<unknown>>>): Record<string, unknown> {
  const results: Record<string, unknown> = {}
  for (const [name, read] of Object.entries(reads)) {
    read.then((result) => {
      results[name] = result
    })
  }
  return results
}

async function turns(count: number): Promise<void> {
  for (let done = 0; done < count; done += 1) await nextTurn()
}

/** Blocks the next write until the returned function is called. */
function hold(disk: FailingDisk): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  disk.onWrite = () => promise
  return resolve
}

const name = (store: Store, id: string) =>
  store.get('customers', id).then((record) => (record && 'name' in record ? record.name : record))

test('returns changed, new, removed and listed records only after the change is durable', async ({
  store,
  disk,
}) => {
  const release = hold(disk)
  const writing = store.transact(async () =>
    commit(null, {
      writes: [
        { put: customer('cus_1', { name: 'Joan' }) },
        { remove: customer('cus_2') },
        { put: customer('cus_3') },
      ],
      events: [event('evt_1')],
    }),
  )
  await turns(5)
  assert.is(disk.writes, 1)
  const reads = {
    changed: name(store, 'cus_1'),
    removed: name(store, 'cus_2'),
    added: name(store, 'cus_3'),
    list: idsOf(store, 'customers'),
    filtered: idsOf(store, 'customers', { where: { email: 'nobody@example.com' } }),
    events: idsOf(store, 'events'),
    decided: store.transact(async (reader) => commit((await reader.get('customers', 'cus_2')) === null)),
    failed: rejection(
      store.transact(async (reader) => {
        throw new Error(String(await reader.get('customers', 'cus_2')))
      }),
    ),
  }
  const results = watch(reads)
  await turns(20)
  assert.equal(results, {})
  release()
  await writing
  await Promise.all(Object.values(reads))
  const { changed, removed, list, filtered, events } = results
  assert.equal([changed, removed, list, filtered, events], ['Joan', null, ['cus_3', 'cus_1'], [], ['evt_1']])
})

test('reads of unchanged data do not wait for a pending write', async ({ store, disk }) => {
  const release = hold(disk)
  const writing = put(store, customer('cus_3'))
  await turns(5)
  assert.is(await name(store, 'cus_1'), 'Jane')
  const results = watch({ missing: name(store, 'cus_never') })
  await turns(5)
  assert.equal(results, { missing: null })
  assert.equal(await idsOf(store, 'payment_sessions'), ['py_1'])
  assert.equal(await idsOf(store, 'invoices'), [])
  assert.is(
    (await store.transact(async (reader) => commit(await reader.get('payment_sessions', 'py_1')))).events
      .length,
    0,
  )
  release()
  await writing
})

test('a read during a failed write returns the unchanged data', async ({ store, disk }) => {
  const release = hold(disk)
  disk.plan = ['ENOSPC']
  const failed = rejection(
    store.transact(async () =>
      commit(null, { writes: [{ remove: customer('cus_2') }, { put: customer('cus_3') }] }),
    ),
  )
  await turns(5)
  const reads = [name(store, 'cus_2'), name(store, 'cus_3'), idsOf(store, 'customers')]
  await turns(5)
  release()
  await failed
  assert.equal(await Promise.all(reads), ['Jane', null, ['cus_2', 'cus_1']])
})

test('a failed transaction does not reveal an earlier one that is not durable', async ({ store, disk }) => {
  const release = hold(disk)
  const writing = put(store, customer('cus_3'))
  await turns(5)
  const stray = { put: { id: 'x', object: 'unknown' } }
  await rejection(store.transact(async () => commit(null, { writes: [{ put: customer('cus_4') }, stray] })))
  const results = watch({ list: idsOf(store, 'customers'), added: name(store, 'cus_3') })
  await turns(20)
  assert.equal(results, {})
  release()
  await writing
  await turns(5)
  assert.equal(results['list'], ['cus_3', 'cus_2', 'cus_1'])
})

test('a transaction that cannot be serialized changes nothing in memory', async ({ store }) => {
  const metadata = { total: 1n } as unknown as Record<string, string>
  const record = { ...customer('cus_3'), metadata }
  assert.match((await rejection(put(store, customer('cus_4'), record))).message, 'BigInt')
  assert.equal(await idsOf(store, 'customers'), ['cus_2', 'cus_1'])
  await remove(store, customer('cus_1'))
  assert.equal(await idsOf(store, 'customers'), ['cus_2'])
})

test.run()
