import { MemoryRecords } from '../../../src/store/memory/memory-records.ts'
import {
  type AppliedTransaction,
  createRecordStore,
  type TransactionPersistence,
} from '../../../src/store/memory/record-store.ts'
import type { Store } from '../../../src/store/port/store.ts'
import { assert, suite } from '../../support/suite.ts'
import {
  commit,
  customer,
  event,
  idsOf,
  paymentSession,
  put,
  rejection,
  remove,
  waitForNextTurn,
} from '../fixture.ts'

interface HeldWrite {
  readonly transaction: AppliedTransaction
  readonly done: Promise<void>
  readonly resolve: () => void
  readonly reject: (error: Error) => void
}

function hold(transaction: AppliedTransaction): HeldWrite {
  const { promise: done, resolve, reject } = Promise.withResolvers<void>()
  done.catch(() => undefined)
  return { transaction, done, resolve, reject }
}

/** A fake disk that completes or fails the write of each transaction on demand. */
class HeldDisk implements TransactionPersistence {
  #held: HeldWrite[] = []
  #durable = 0
  readonly scheduling = { yieldToEventLoop: waitForNextTurn, monotonicMs: () => performance.now() }
  closings = 0

  nextTransaction(): number {
    return this.#durable + this.#held.length + 1
  }

  persist(transaction: AppliedTransaction): Promise<void> {
    const held = hold(transaction)
    this.#held.push(held)
    return held.done
  }

  isDurable(transaction: number): boolean {
    return transaction <= this.#durable
  }

  async waitUntilSettled(transaction: number): Promise<boolean> {
    const held = this.#held[transaction - this.#durable - 1]
    return (
      held?.done.then(
        () => true,
        () => false,
      ) ?? true
    )
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#held.map(({ done }) => done))
    this.closings += 1
  }

  /** Completes the oldest write. */
  async finish(): Promise<void> {
    this.#durable += 1
    this.#held.shift()?.resolve()
    await waitForNextTurn()
  }

  /** Fails the oldest write and all later writes. */
  async fail(): Promise<void> {
    const failed = this.#held
    this.#held = []
    for (const { transaction } of [...failed].reverse()) transaction.undo()
    for (const { reject } of failed) reject(new Error('disk failed'))
    await waitForNextTurn()
  }
}

const test = suite<{ disk: HeldDisk; store: Store }>('store/record-store')

test.before.each((context) => {
  context.disk = new HeldDisk()
  context.store = createRecordStore(new MemoryRecords(), context.disk)
})

/** Tracks whether a promise has settled. */
function watch<T>(promise: Promise<T>): { readonly promise: Promise<T>; isDone: boolean } {
  const watched = { promise, isDone: false }
  const done = () => {
    watched.isDone = true
  }
  promise.then(done, done)
  return watched
}

const reads: Readonly<Record<string, (store: Store) => Promise<unknown>>> = {
  get: (store) => store.get('payment_sessions', 'py_1'),
  list: (store) => idsOf(store, 'payment_sessions'),
}

for (const [name, read] of Object.entries(reads)) {
  test(`${name} returns a change only after it is durable`, async ({ disk, store }) => {
    const before = JSON.stringify(await read(store))
    const writing = put(store, paymentSession('py_1', { expires_at: 10 }))
    await waitForNextTurn()
    const answer = watch(read(store))
    await waitForNextTurn()
    assert.not(answer.isDone)
    await disk.finish()
    await writing
    assert.is.not(JSON.stringify(await answer.promise), before)
  })

  test(`${name} never returns a change that could not be stored`, async ({ disk, store }) => {
    const before = await read(store)
    const writing = rejection(put(store, paymentSession('py_1', { expires_at: 10 })))
    await waitForNextTurn()
    const answer = watch(read(store))
    await disk.fail()
    assert.match((await writing).message, 'disk failed')
    assert.equal(await answer.promise, before)
  })
}

test('a read that waits for a change does not return the next change', async ({ disk, store }) => {
  const first = put(store, customer('cus_1'))
  await waitForNextTurn()
  const answer = watch(idsOf(store, 'customers'))
  const second = rejection(put(store, customer('cus_2')))
  await waitForNextTurn()
  await disk.finish()
  await first
  await waitForNextTurn()
  assert.ok(answer.isDone, 'the read does not wait for later changes')
  assert.equal(await answer.promise, ['cus_1'])
  await disk.fail()
  await second
})

test('a read of durable data does not wait for pending writes', async ({ disk, store }) => {
  const first = put(store, customer('cus_1'), paymentSession('py_1', { expires_at: 10 }))
  await waitForNextTurn()
  await disk.finish()
  await first
  const writing = put(store, customer('cus_2'))
  await waitForNextTurn()
  assert.equal(await store.get('customers', 'cus_1'), customer('cus_1'))
  const missing = watch(store.get('customers', 'cus_3'))
  await waitForNextTurn()
  assert.ok(missing.isDone, 'a missing record that was never removed')
  assert.equal(await idsOf(store, 'payment_sessions'), ['py_1'])
  assert.is((await store.listDue('real', 100, 1)).length, 1)
  await disk.finish()
  await writing
})

test('a removal is visible only after it is durable', async ({ disk, store }) => {
  const first = put(store, customer('cus_1'))
  await waitForNextTurn()
  await disk.finish()
  await first
  const failed = rejection(remove(store, customer('cus_1')))
  await waitForNextTurn()
  const [record, list] = [watch(store.get('customers', 'cus_1')), watch(idsOf(store, 'customers'))]
  await waitForNextTurn()
  assert.not(record.isDone || list.isDone)
  await disk.fail()
  await failed
  assert.equal(await record.promise, customer('cus_1'))
  assert.equal(await list.promise, ['cus_1'])
})

test('a transaction runs before the previous transaction is durable', async ({ disk, store }) => {
  const first = watch(put(store, customer('cus_1')))
  const second = watch(
    store.transact(async (reader) =>
      commit(await reader.get('customers', 'cus_1'), { events: [event('evt_1')] }),
    ),
  )
  await waitForNextTurn()
  assert.not(first.isDone || second.isDone)
  await disk.finish()
  assert.ok(first.isDone && !second.isDone)
  await disk.finish()
  assert.equal((await second.promise).result, customer('cus_1'))
})

test('runs the work of a transaction again when data that it read was undone', async ({ disk, store }) => {
  const value = async () => (await store.get('counters', 'invoice_number'))?.value
  const counter = (count: number) => ({ id: 'invoice_number', object: 'counter', value: count }) as const
  const writing = rejection(put(store, counter(7)))
  await waitForNextTurn()
  let openGate = () => {}
  const gate = new Promise<void>((resolve) => {
    openGate = resolve
  })
  const counting = store.transact(async (reader) => {
    const next = ((await reader.get('counters', 'invoice_number'))?.value ?? 0) + 1
    await gate
    return commit(next, { writes: [{ put: counter(next) }] })
  })
  await waitForNextTurn()
  await disk.fail()
  await writing
  openGate()
  await waitForNextTurn()
  await disk.finish()
  assert.is((await counting).result, 1)
  assert.is(await value(), 1)
})

test('rejects with an error only after the data that the error depends on is durable', async ({
  disk,
  store,
}) => {
  const writing = put(store, customer('cus_1'))
  await waitForNextTurn()
  const failed = watch(
    rejection(
      store.transact(async (reader) => {
        throw new Error((await reader.get('customers', 'cus_1')) ? 'exists' : 'missing')
      }),
    ),
  )
  await waitForNextTurn()
  assert.not(failed.isDone)
  await disk.finish()
  await writing
  assert.is((await failed.promise).message, 'exists')
})

test('runs the work of a transaction again when its error depends on undone data', async ({
  disk,
  store,
}) => {
  const writing = rejection(put(store, customer('cus_1')))
  await waitForNextTurn()
  const outcome = watch(
    store.transact(async (reader) => {
      if (await reader.get('customers', 'cus_1')) throw new Error('exists')
      return commit('stored', { writes: [{ put: customer('cus_1', { name: 'Joan' }) }] })
    }),
  )
  await waitForNextTurn()
  await disk.fail()
  await writing
  await disk.finish()
  assert.is((await outcome.promise).result, 'stored')
  assert.is((await idsOf(store, 'customers')).length, 1)
})

test('runs a read-only transaction again when it read undone data', async ({ disk, store }) => {
  const writing = rejection(put(store, customer('cus_1')))
  await waitForNextTurn()
  const found = watch(store.transact(async (reader) => commit(await reader.get('customers', 'cus_1'))))
  await waitForNextTurn()
  assert.not(found.isDone)
  await disk.fail()
  await writing
  assert.is((await found.promise).result, null)
})

test('reuses the sequence numbers of failed writes', async ({ disk, store }) => {
  const announce = (id: string) => store.transact(async () => commit(null, { events: [event(id)] }))
  const lost = [announce('evt_1'), announce('evt_2')].map(rejection)
  await waitForNextTurn()
  await disk.fail()
  await Promise.all(lost)
  const kept = announce('evt_3')
  await waitForNextTurn()
  await disk.finish()
  assert.is((await kept).events[0]?.sequence, 1)
})

test('close waits for running transactions and the disk, and closes the disk only once', async ({
  disk,
  store,
}) => {
  const writing = put(store, customer('cus_1'))
  const closing = watch(Promise.all([store.close(), store.close()]))
  await waitForNextTurn()
  assert.not(closing.isDone)
  await disk.finish()
  await writing
  await closing.promise
  assert.is(disk.closings, 1)
  assert.match((await rejection(put(store, customer('cus_2')))).message, 'closed')
})

test.run()
