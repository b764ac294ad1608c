import {
  type AppliedBatch,
  createRecordStore,
  type Durability,
} from '../../../src/store/memory/record-store.ts'
import { Records } from '../../../src/store/memory/records.ts'
import type { Store } from '../../../src/store/port/store.ts'
import { assert, suite } from '../../support/suite.ts'
import { commit, customer, event, idsOf, paymentSession, put, rejection, remove, turn } from '../fixture.ts'

interface Held {
  readonly batch: AppliedBatch
  readonly done: Promise<void>
  readonly resolve: () => void
  readonly reject: (error: Error) => void
}

function hold(batch: AppliedBatch): Held {
  let settle = { resolve: () => {}, reject: (_error: Error) => {} }
  const done = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject }
  })
  done.catch(() => undefined)
  return { batch, done, ...settle }
}

/** A disk that finishes or fails its writes, one for each transaction, when the test says so. */
class HeldDisk implements Durability {
  #held: Held[] = []
  #durable = 0
  closings = 0

  next(): number {
    return this.#durable + this.#held.length + 1
  }

  persist(batch: AppliedBatch): Promise<void> {
    const held = hold(batch)
    this.#held.push(held)
    return held.done
  }

  isDurable(stamp: number): boolean {
    return stamp <= this.#durable
  }

  async settled(stamp: number): Promise<boolean> {
    const held = this.#held[stamp - this.#durable - 1]
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

  /** Finishes the oldest write. */
  async finish(): Promise<void> {
    this.#durable += 1
    this.#held.shift()?.resolve()
    await turn()
  }

  /** Fails the oldest write, and with it all that came after it. */
  async fail(): Promise<void> {
    const failed = this.#held
    this.#held = []
    for (const { batch } of [...failed].reverse()) batch.undo()
    for (const { reject } of failed) reject(new Error('disk failed'))
    await turn()
  }
}

const test = suite<{ disk: HeldDisk; store: Store }>('store/record-store')

test.before.each((context) => {
  context.disk = new HeldDisk()
  context.store = createRecordStore(new Records(), context.disk)
})

/** Watches whether a promise has settled. */
function watch<T>(promise: Promise<T>): { readonly promise: Promise<T>; isDone: boolean } {
  const watched = { promise, isDone: false }
  const done = () => {
    watched.isDone = true
  }
  promise.then(done, done)
  return watched
}

const questions: Readonly<Record<string, (store: Store) => Promise<unknown>>> = {
  get: (store) => store.get('payment_sessions', 'py_1'),
  list: (store) => idsOf(store, 'payment_sessions'),
}

for (const [name, ask] of Object.entries(questions)) {
  test(`${name} tells of a change only when it is on disk`, async ({ disk, store }) => {
    const before = JSON.stringify(await ask(store))
    const writing = put(store, paymentSession('py_1', { expires_at: 10 }))
    await turn()
    const answer = watch(ask(store))
    await turn()
    assert.not(answer.isDone)
    await disk.finish()
    await writing
    assert.is.not(JSON.stringify(await answer.promise), before)
  })

  test(`${name} never tells of a change that could not be kept`, async ({ disk, store }) => {
    const before = await ask(store)
    const writing = rejection(put(store, paymentSession('py_1', { expires_at: 10 })))
    await turn()
    const answer = watch(ask(store))
    await disk.fail()
    assert.match((await writing).message, 'disk failed')
    assert.equal(await answer.promise, before)
  })
}

test('a read that waits for one change does not tell of the next, which may still fail', async ({
  disk,
  store,
}) => {
  const first = put(store, customer('cus_1'))
  await turn()
  const answer = watch(idsOf(store, 'customers'))
  const second = rejection(put(store, customer('cus_2')))
  await turn()
  await disk.finish()
  await first
  await turn()
  assert.ok(answer.isDone, 'it need not wait for what came later')
  assert.equal(await answer.promise, ['cus_1'])
  await disk.fail()
  await second
})

test('a read of what is on disk does not wait for what is not', async ({ disk, store }) => {
  const first = put(store, customer('cus_1'), paymentSession('py_1', { expires_at: 10 }))
  await turn()
  await disk.finish()
  await first
  const writing = put(store, customer('cus_2'))
  await turn()
  assert.equal(await store.get('customers', 'cus_1'), customer('cus_1'))
  assert.is(await store.get('customers', 'cus_3'), null)
  assert.equal(await idsOf(store, 'payment_sessions'), ['py_1'])
  assert.is((await store.due('real', 100, 1)).length, 1)
  await disk.finish()
  await writing
})

test('a removal is told only when it is on disk, and never when it could not be kept', async ({
  disk,
  store,
}) => {
  const first = put(store, customer('cus_1'))
  await turn()
  await disk.finish()
  await first
  const refused = rejection(remove(store, customer('cus_1')))
  await turn()
  const [record, list] = [watch(store.get('customers', 'cus_1')), watch(idsOf(store, 'customers'))]
  await turn()
  assert.not(record.isDone || list.isDone)
  await disk.fail()
  await refused
  assert.equal(await record.promise, customer('cus_1'))
  assert.equal(await list.promise, ['cus_1'])
})

test('a transaction does not wait for the write of the one before it, but its answer does', async ({
  disk,
  store,
}) => {
  const first = watch(put(store, customer('cus_1')))
  const second = watch(
    store.transact(async (reader) =>
      commit(await reader.get('customers', 'cus_1'), { events: [event('evt_1')] }),
    ),
  )
  await turn()
  assert.not(first.isDone || second.isDone)
  await disk.finish()
  assert.ok(first.isDone && !second.isDone)
  await disk.finish()
  assert.equal((await second.promise).result, customer('cus_1'))
})

test('work that read what was undone meanwhile is done again', async ({ disk, store }) => {
  const value = async () => (await store.get('counters', 'invoice_number'))?.value
  const counter = (count: number) => ({ id: 'invoice_number', object: 'counter', value: count }) as const
  const writing = rejection(put(store, counter(7)))
  await turn()
  let goOn = () => {}
  const gate = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const counting = store.transact(async (reader) => {
    const next = ((await reader.get('counters', 'invoice_number'))?.value ?? 0) + 1
    await gate
    return commit(next, { writes: [{ put: counter(next) }] })
  })
  await turn()
  await disk.fail()
  await writing
  goOn()
  await turn()
  await disk.finish()
  assert.is((await counting).result, 1)
  assert.is(await value(), 1)
})

test('a refusal waits for what it rests on', async ({ disk, store }) => {
  const writing = put(store, customer('cus_1'))
  await turn()
  const refused = watch(
    rejection(
      store.transact(async (reader) => {
        throw new Error((await reader.get('customers', 'cus_1')) ? 'exists' : 'missing')
      }),
    ),
  )
  await turn()
  assert.not(refused.isDone)
  await disk.finish()
  await writing
  assert.is((await refused.promise).message, 'exists')
})

test('a refusal that rests on what could not be kept is decided again', async ({ disk, store }) => {
  const writing = rejection(put(store, customer('cus_1')))
  await turn()
  const outcome = watch(
    store.transact(async (reader) => {
      if (await reader.get('customers', 'cus_1')) throw new Error('exists')
      return commit('stored', { writes: [{ put: customer('cus_1', { name: 'Joan' }) }] })
    }),
  )
  await turn()
  await disk.fail()
  await writing
  await disk.finish()
  assert.is((await outcome.promise).result, 'stored')
  assert.is((await idsOf(store, 'customers')).length, 1)
})

test('an answer without changes that rests on what could not be kept is found again', async ({
  disk,
  store,
}) => {
  const writing = rejection(put(store, customer('cus_1')))
  await turn()
  const found = watch(store.transact(async (reader) => commit(await reader.get('customers', 'cus_1'))))
  await turn()
  assert.not(found.isDone)
  await disk.fail()
  await writing
  assert.is((await found.promise).result, null)
})

test('the numbers of events whose write failed are given again', async ({ disk, store }) => {
  const announce = (id: string) => store.transact(async () => commit(null, { events: [event(id)] }))
  const lost = [announce('evt_1'), announce('evt_2')].map(rejection)
  await turn()
  await disk.fail()
  await Promise.all(lost)
  const kept = announce('evt_3')
  await turn()
  await disk.finish()
  assert.is((await kept).events[0]?.sequence, 1)
})

test('closing waits for the transactions under way, then for the disk, and happens once', async ({
  disk,
  store,
}) => {
  const writing = put(store, customer('cus_1'))
  const closing = watch(Promise.all([store.close(), store.close()]))
  await turn()
  assert.not(closing.isDone)
  await disk.finish()
  await writing
  await closing.promise
  assert.is(disk.closings, 1)
  assert.match((await rejection(put(store, customer('cus_2')))).message, 'closed')
})

test.run()
