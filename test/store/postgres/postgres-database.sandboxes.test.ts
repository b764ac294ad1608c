import { DomainError } from '../../../src/domain/core/domain-error.ts'
import { REAL_TIME_QUEUE } from '../../../src/domain/schedule/deadlines.ts'
import type { Database, SandboxLocation } from '../../../src/store/port/database.ts'
import type { Store } from '../../../src/store/port/store.ts'
import { dropDatabase, newDatabaseUrl, onDatabase, stopOwnPostgres } from '../../support/postgres.ts'
import { assert, suite } from '../../support/suite.ts'
import { commit, customer, dueIds, event, paymentSession, put, rejection } from '../fixture.ts'
import { connectionsAt, coordinatorOf, openDatabaseAt, schemaOf, until } from './postgres-stores.ts'

const A: SandboxLocation = { id: 'sbx_a', storage: 'durable' }
const B: SandboxLocation = { id: 'sbx_b', storage: 'durable' }
const LONG_SECONDS = 600
/** More sandboxes than connections for commits. */
const MANY = 12
const TRANSACTIONS = 60
/** More records than one statement deletes. */
const RECORDS = 2500

const test = suite('store/sandboxes of a PostgreSQL database')

test.after(stopOwnPostgres)

let url: string
const opened: Database[] = []
const stores: Store[] = []

test.before.each(async () => {
  url = await newDatabaseUrl()
})

test.after.each(async () => {
  for (const store of stores.splice(0)) await store.close()
  for (const database of opened.splice(0)) await database.close()
  await dropDatabase(url)
})

/** Opens the database; it and the stores of its sandboxes are closed after the test. */
async function openDatabase(): Promise<Database> {
  const database = await openDatabaseAt(url)
  opened.push(database)
  const openSandbox = async (place: SandboxLocation) => {
    const store = await database.openSandbox(place)
    stores.push(store)
    return store
  }
  return { ...database, openSandbox }
}

const places = Array.from({ length: MANY }, (_, at) => ({ ...A, id: `sbx_${at}` }))

/** Opens many sandboxes. */
const openMany = (database: Database) => Promise.all(places.map((place) => database.openSandbox(place)))

/**
 * Starts LISTEN, and returns a function that waits until `listening` has received every notification of `changing`: the last one
 * is of a sandbox of its own. The start of LISTEN and the first notification of a process notify all sandboxes.
 */
async function createNotificationFence(
  listening: Database,
  changing: Database,
): Promise<() => Promise<void>> {
  const place = { ...A, id: 'sbx_fence' }
  const [received, sent] = [await listening.openSandbox(place), await changing.openSandbox(place)]
  let [starts, fences] = [0, 0]
  coordinatorOf(received).onChange((mayBeDue) => {
    if (mayBeDue) starts += 1
    else fences += 1
  })
  const receiveAll = async () => {
    const before = fences
    await put(sent, customer(`cus_fence_${before}`))
    await until(() => fences > before)
  }
  await until(() => starts > 0)
  // The first notification after the presence query of `listening` notifies all sandboxes once more.
  while (starts < 2) await receiveAll()
  return receiveAll
}

const query = (text: string) =>
  onDatabase(url, async (client) => (await client.query(text.replaceAll('@', `${schemaOf(url)}.`))).rows)

const announce = (store: Store, id: string) =>
  store.transact(async () => commit(null, { events: [event(id)] }))

test('a commit waits for an unfinished commit of the same sandbox, but not of another sandbox', async () => {
  const [one, two] = [await openDatabase(), await openDatabase()]
  const three = [await one.openSandbox(A), await two.openSandbox(A), await one.openSandbox(B)] as const
  const order: string[] = []
  let own: Promise<unknown> = Promise.resolve()
  await three[0].transact(async () => {
    own = put(three[1], customer('cus_2')).then(() => order.push('same sandbox'))
    await put(three[2], customer('cus_1')).then(() => order.push('other sandbox'))
    await until(async () => (await connectionsAt(url, 'FOR UPDATE', 'Lock')) > 0)
    order.push('first')
    return commit(null, { writes: [{ put: customer('cus_1') }] })
  })
  await own
  assert.equal(order, ['other sandbox', 'first', 'same sandbox'])
})

test('many busy sandboxes share at most 8 connections for commits, and each has a gapless sequence', async () => {
  const database = await openDatabase()
  const many = await openMany(database)
  const numbers = await Promise.all(
    many.map(async (store) => {
      const all = Array.from({ length: TRANSACTIONS }, (_, at) => announce(store, `evt_${at}`))
      return (await Promise.all(all)).map(({ events }) => events[0]?.sequence)
    }),
  )
  for (const found of numbers)
    assert.equal(
      found,
      Array.from({ length: TRANSACTIONS }, (_, at) => at + 1),
    )
  assert.ok((await connectionsAt(url, 'COMMIT')) <= 8)
})

test('a busy sandbox does not prevent other sandboxes from committing', async () => {
  const database = await openDatabase()
  const many = await openMany(database)
  let isBusy = true
  const keepBusy = many.slice(1).map(async (store) => {
    for (let number = 0; isBusy; number += 1) await announce(store, `evt_${number}`)
  })
  for (let number = 0; number < TRANSACTIONS; number += 1) await announce(many[0] as Store, `evt_${number}`)
  isBusy = false
  await Promise.all(keepBusy)
  assert.is(await many[0]?.newestSequence(), TRANSACTIONS)
})

test('a change by another process invalidates only the cached queues of the changed sandbox', async () => {
  const [one, two] = [await openDatabase(), await openDatabase()]
  const receiveAll = await createNotificationFence(one, two)
  const [a, b, changed] = [await one.openSandbox(A), await one.openSandbox(B), await two.openSandbox(A)]
  const notified: string[] = []
  coordinatorOf(a).onChange(() => notified.push('a'))
  coordinatorOf(b).onChange(() => notified.push('b'))
  await receiveAll()
  notified.length = 0
  const due = (store: Store) => dueIds(store, REAL_TIME_QUEUE, { until: 50 })
  assert.equal([await due(a), await due(b)], [[], []])
  await put(changed, paymentSession('py_1', { expires_at: 10 }))
  await receiveAll()
  // This write sends no notification, so only a store that reads again finds the record.
  await query(`INSERT INTO @records (sandbox, kind, id, place, record, due_queue, due_at, due_rank)
    SELECT 'sbx_b', kind, id, 1, record, due_queue, due_at, due_rank FROM @records WHERE id = 'py_1'`)
  assert.equal([await due(a), await due(b)], [['py_1'], []])
  assert.equal(notified, ['a'])
  await put(b, paymentSession('py_2', { expires_at: 10 }))
  assert.equal(await due(b), ['py_1', 'py_2'])
})

test('a commit without a deadline, by any process, invalidates no cached queue', async () => {
  const [one, two] = [await openDatabase(), await openDatabase()]
  const receiveAll = await createNotificationFence(one, two)
  const [store, other] = [await one.openSandbox(A), await two.openSandbox(A)]
  let notified = 0
  coordinatorOf(store).onChange(() => {
    notified += 1
  })
  await receiveAll()
  notified = 0
  assert.is(await store.nextDeadline(), null)
  // This write sends no notification, so only a store that reads again finds the record.
  await put(await two.openSandbox(B), paymentSession('py_1', { expires_at: 10 }))
  await query(`UPDATE @records SET sandbox = 'sbx_a' WHERE id = 'py_1'`)
  await put(store, customer('cus_1'))
  await put(other, customer('cus_2'))
  await receiveAll()
  assert.is(notified, 1)
  assert.equal([await dueIds(store, REAL_TIME_QUEUE, { until: 50 }), await store.nextDeadline()], [[], null])
  await put(other, paymentSession('py_2', { expires_at: 5 }))
  await receiveAll()
  assert.is(notified, 2)
  assert.is(await store.nextDeadline(), 5)
})

test('the commits of a process send notifications with the id of every changed sandbox', async () => {
  const database = await openDatabase()
  const many = await openMany(database)
  await onDatabase(url, async (client) => {
    const payloads: string[] = []
    client.on('notification', ({ payload = '' }) => payloads.push(payload))
    await client.query(`LISTEN "paycli_${schemaOf(url)}"`)
    for (let number = 1; number <= TRANSACTIONS; number += 1)
      await Promise.all(many.map((store) => announce(store, `evt_${number}`)))
    await database.defaultStore.close()
    await client.query('SELECT 1')
    const named = new Set(payloads.flatMap((payload) => payload.split(' ').slice(1)))
    // `~` marks a sandbox whose changes have no deadline.
    for (const { id } of places) assert.ok(named.has(`${id}~`), id)
  })
})

test('leases and presences of a name are independent in two sandboxes', async () => {
  const [one, two] = [await openDatabase(), await openDatabase()]
  const [a, b, other] = [await one.openSandbox(A), await one.openSandbox(B), await two.openSandbox(B)]
  assert.equal(await coordinatorOf(a).acquireLeases(['x'], LONG_SECONDS), ['x'])
  assert.equal(await coordinatorOf(other).acquireLeases(['x'], LONG_SECONDS), ['x'])
  assert.equal(await coordinatorOf(b).acquireLeases(['x'], LONG_SECONDS), [])
  await coordinatorOf(a).announcePresence(['y'], LONG_SECONDS)
  assert.equal(await coordinatorOf(other).findAnnouncedElsewhere(['y']), [])
  await other.close()
  assert.equal(await coordinatorOf(b).acquireLeases(['x'], LONG_SECONDS), ['x'], 'close releases the leases')
  assert.is(await coordinatorOf(a).heartbeat(LONG_SECONDS), 1)
  assert.is(await coordinatorOf(two.defaultStore).heartbeat(LONG_SECONDS), 2, 'all sandboxes count processes')
})

test('a deleted sandbox rejects the commits of another process and stays deleted', async () => {
  const [one, two] = [await openDatabase(), await openDatabase()]
  const store = await two.openSandbox(A)
  await put(store, ...Array.from({ length: RECORDS }, (_, at) => customer(`cus_${at}`)))
  await coordinatorOf(store).announcePresence(['y'], LONG_SECONDS)
  await one.deleteSandbox(A)
  const error = await rejection(put(store, customer('cus_late')))
  assert.instance(error, DomainError)
  assert.match(error.message, 'The sandbox was deleted')
  assert.equal(await one.listSandboxes(), [])
  for (const table of ['records', 'sandbox_presences'])
    assert.equal(await query(`SELECT 1 FROM @${table} WHERE sandbox = 'sbx_a'`), [])
})

test('an interrupted deletion is listed, and deleting or opening the sandbox again completes it', async () => {
  const database = await openDatabase()
  for (const finish of [
    () => database.deleteSandbox(A),
    async () => {
      const store = await database.openSandbox(A)
      assert.is(await store.count('customers'), 0)
      assert.is(await store.newestSequence(), 0)
      await put(store, customer('cus_new'))
      await store.close()
    },
  ]) {
    const store = await database.openSandbox(A)
    await put(store, customer('cus_1'))
    await announce(store, 'evt_1')
    await store.close()
    await query(`UPDATE @head SET is_deleted = true WHERE sandbox = 'sbx_a'`)
    assert.equal(await database.listSandboxes(), [A])
    await finish()
    assert.equal(await query(`SELECT id FROM @records WHERE sandbox = 'sbx_a' AND id <> 'cus_new'`), [])
  }
})

test('another process reads either the old or the new contents while replaceSandboxContents replaces them', async () => {
  const [one, two] = [await openDatabase(), await openDatabase()]
  const store = await one.openSandbox(A)
  await put(store, ...Array.from({ length: RECORDS }, (_, at) => customer(`cus_${at}`)))
  const contents = await store.capture()
  await put(store, customer('cus_more'))
  await store.close()
  const reader = await two.openSandbox(A)
  let isWritten = false
  const written = one.writeSandbox(A, contents).then(() => {
    isWritten = true
  })
  while (!isWritten) assert.ok([RECORDS, RECORDS + 1].includes(await reader.count('customers')))
  await written
  assert.is(await reader.count('customers'), RECORDS)
  await put(reader, customer('cus_next'))
})

test('many idle sandboxes together hold at most 8 connections', async () => {
  const database = await openDatabase()
  const connections = () => connectionsAt(url, '')
  const before = await connections()
  await openMany(database)
  const after = await connections()
  assert.ok(after <= before + 8, `${after - before} more connections`)
})

test('when a process exits, other processes check for changes without notification', async () => {
  const [one, two] = [await openDatabase(), await openDatabase()]
  const a = await one.openSandbox(A)
  let notified = 0
  coordinatorOf(a).onChange(() => {
    notified += 1
  })
  await until(() => notified > 0)
  await coordinatorOf(two.defaultStore).heartbeat(LONG_SECONDS)
  assert.is(await coordinatorOf(a).heartbeat(LONG_SECONDS), 2)
  await two.close()
  const before = notified
  assert.is(await coordinatorOf(a).heartbeat(LONG_SECONDS), 1)
  assert.ok(notified > before)
})

test.run()
