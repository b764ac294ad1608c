import type { Store } from '../../../src/store/port/store.ts'
import { assert, suite } from '../../support/suite.ts'
import { commit, customer, event, idsOf, paymentSession, put, rejection, remove, turn } from '../fixture.ts'
import { breakDisk, type FailingDisk } from './failing-disk.ts'
import { type DatabaseFolder, makeFolder } from './lowdb-folder.ts'

const test = suite<{ place: DatabaseFolder; store: Store; disk: FailingDisk }>('store/lowdb reads')

test.before.each(async (context) => {
  context.place = await makeFolder()
  context.store = await context.place.open()
  await put(context.store, customer('cus_1'), customer('cus_2'), paymentSession('py_1'))
  context.disk = await breakDisk()
})

test.after.each(async ({ place, disk }) => {
  disk.repair()
  await place.dispose()
})

/** What has been answered so far, by name. */
function watch(questions: Readonly<Record<string, Promise<unknown>>>): Record<string, unknown> {
  const answers: Record<string, unknown> = {}
  for (const [name, question] of Object.entries(questions)) {
    question.then((answer) => {
      answers[name] = answer
    })
  }
  return answers
}

async function turns(count: number): Promise<void> {
  for (let done = 0; done < count; done += 1) await turn()
}

/** Lets the next write be under way until it is let go on. */
function hold(disk: FailingDisk): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  disk.onWrite = () => promise
  return resolve
}

const name = (store: Store, id: string) =>
  store.get('customers', id).then((record) => (record && 'name' in record ? record.name : record))

test('nobody is told of a change, a new record, a list or an absence before it is on disk', async ({
  store,
  disk,
}) => {
  const letGo = hold(disk)
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
  const questions = {
    changed: name(store, 'cus_1'),
    removed: name(store, 'cus_2'),
    added: name(store, 'cus_3'),
    list: idsOf(store, 'customers'),
    filtered: idsOf(store, 'customers', { where: { email: 'nobody@example.com' } }),
    events: idsOf(store, 'events'),
    decided: store.transact(async (reader) => commit((await reader.get('customers', 'cus_2')) === null)),
    refused: rejection(
      store.transact(async (reader) => {
        throw new Error(String(await reader.get('customers', 'cus_2')))
      }),
    ),
  }
  const answers = watch(questions)
  await turns(20)
  assert.equal(answers, {})
  letGo()
  await writing
  await Promise.all(Object.values(questions))
  const { changed, removed, list, filtered, events } = answers
  assert.equal([changed, removed, list, filtered, events], ['Joan', null, ['cus_3', 'cus_1'], [], ['evt_1']])
})

test('readers of what is not changing do not wait', async ({ store, disk }) => {
  const letGo = hold(disk)
  const writing = put(store, customer('cus_3'))
  await turns(5)
  assert.is(await name(store, 'cus_1'), 'Jane')
  assert.is(await name(store, 'cus_never'), null)
  assert.equal(await idsOf(store, 'payment_sessions'), ['py_1'])
  assert.equal(await idsOf(store, 'invoices'), [])
  assert.is(
    (await store.transact(async (reader) => commit(await reader.get('payment_sessions', 'py_1')))).events
      .length,
    0,
  )
  letGo()
  await writing
})

test('who asked during a write that is refused is told what stays', async ({ store, disk }) => {
  const letGo = hold(disk)
  disk.plan = ['ENOSPC']
  const refused = rejection(
    store.transact(async () =>
      commit(null, { writes: [{ remove: customer('cus_2') }, { put: customer('cus_3') }] }),
    ),
  )
  await turns(5)
  const questions = [name(store, 'cus_2'), name(store, 'cus_3'), idsOf(store, 'customers')]
  await turns(5)
  letGo()
  await refused
  assert.equal(await Promise.all(questions), ['Jane', null, ['cus_2', 'cus_1']])
})

test('a transaction that cannot be kept does not uncover the one before it', async ({ store, disk }) => {
  const letGo = hold(disk)
  const writing = put(store, customer('cus_3'))
  await turns(5)
  const stray = { put: { id: 'x', object: 'unheard_of' } }
  await rejection(store.transact(async () => commit(null, { writes: [{ put: customer('cus_4') }, stray] })))
  const answers = watch({ list: idsOf(store, 'customers'), added: name(store, 'cus_3') })
  await turns(20)
  assert.equal(answers, {})
  letGo()
  await writing
  await turns(5)
  assert.equal(answers['list'], ['cus_3', 'cus_2', 'cus_1'])
})

test('a transaction that cannot be written down leaves nothing in memory', async ({ store }) => {
  const endless: Record<string, unknown> = {}
  endless['self'] = endless
  const record = { ...customer('cus_3'), metadata: endless as Record<string, string> }
  assert.match((await rejection(put(store, customer('cus_4'), record))).message, 'circular')
  assert.equal(await idsOf(store, 'customers'), ['cus_2', 'cus_1'])
  await remove(store, customer('cus_1'))
  assert.equal(await idsOf(store, 'customers'), ['cus_2'])
})

test.run()
