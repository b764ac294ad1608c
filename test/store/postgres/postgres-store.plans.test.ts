import { dropDatabase, newDatabaseUrl, onDatabase, stopOwnPostgres } from '../../support/postgres.ts'
import { assert, suite } from '../../support/suite.ts'
import { commit, customer, delivery, event, put } from '../fixture.ts'
import { openProxy } from './postgres-proxy.ts'
import { coordinatorOf, openAt, schemaOf } from './postgres-stores.ts'
import { captureQueries, explain, fillRecords, findUnrestrictedScans } from './query-plans.ts'

/** The default cost above which PostgreSQL compiles a statement. */
const JIT_ABOVE_COST = 100_000
/** Enough records for realistic statistics of the planner. */
const RECORDS = 20_000
const SESSION = /^SET enable_seqscan = off/

const test = suite('store/plans of a PostgreSQL database')

test.after(stopOwnPostgres)

/** Returns all statements that a store sends for a request, its event and its deliveries. */
async function captureStatements(url: string): Promise<readonly string[]> {
  const proxy = await openProxy(url)
  const store = await openAt(proxy.url)
  await put(store, customer('cus_1'), delivery('whd_1', { webhook_endpoint: 'we_1' }))
  const work = async () => commit(null, { writes: [{ remove: customer('cus_1') }], events: [event('evt_1')] })
  await store.transact(async (reader) => {
    await Promise.all([reader.get('customers', 'cus_1'), reader.list('webhook_endpoints', { limit: 16 })])
    return work()
  })
  const where = { webhook_endpoint: 'we_1', status: ['pending', 'failed'] }
  await store.list('webhook_deliveries', { where, limit: 5, starting_after: 'whd_1' })
  await store.list('customers', { ranges: [{ field: 'created', gt: 1 }], limit: 5, ending_before: 'cus_1' })
  await store.listDue('real', 1, 5)
  await store.listOldest('events', 5, 'evt_1')
  await store.newestSequence()
  await store.get('customers', 'cus_1')
  await coordinatorOf(store).isWritable()
  await store.close()
  await proxy.close()
  return [...new Set(proxy.sessions().flat())]
}

test('plans every statement on records and head with an index, below the cost of JIT compilation', async () => {
  const url = await newDatabaseUrl()
  const sent = await captureStatements(url)
  const single = sent.flatMap((text) => text.split(';')).map((text) => text.trim())
  const planned = single.filter(
    (text) => /\b(FROM|INTO|UPDATE) (records|head)\b/.test(text) && !/^CREATE/.test(text),
  )
  for (const words of [
    'FOR UPDATE',
    'UPDATE',
    'INSERT INTO',
    'DELETE',
    'due_queue',
    'ORDER BY place',
    'unnest',
  ])
    assert.ok(
      planned.some((text) => text.includes(words)),
      words,
    )
  await onDatabase(url, async (client) => {
    await client.query(`SET enable_seqscan = off; SET search_path TO ${schemaOf(url)}`)
    // A new key of an updated table is not used until all older transactions of the server have ended.
    const { rows: newKeys } = await client.query(
      `SELECT 1 FROM pg_index WHERE indcheckxmin AND indrelid = 'head'::regclass`,
    )
    const isHeadKeyNew = newKeys.length > 0
    for (const text of planned) {
      const plans = await explain(client, text)
      assert.ok(
        plans.every((plan) => plan.Disabled !== true || (isHeadKeyNew && /\bhead\b/.test(text))),
        `disabled plan (cost 1e10 before PostgreSQL 18): ${text}`,
      )
      for (const plan of plans)
        assert.ok(plan['Total Cost'] < JIT_ABOVE_COST, `${plan['Total Cost']}: ${text}`)
    }
  })
  await dropDatabase(url)
})

test('every list and queue query uses an index whose first column is the sandbox', async () => {
  const url = await newDatabaseUrl()
  await (await openAt(url)).close()
  const queries = await captureQueries('sbx_1')
  assert.ok(queries.length > 500, `${queries.length} queries`)
  await onDatabase(url, async (client) => {
    await client.query(`SET enable_seqscan = off; SET search_path TO ${schemaOf(url)}`)
    const { rows } = await client.query(
      `SELECT indexrelid::regclass AS name, pg_get_indexdef(indexrelid, 1, true) AS first FROM pg_index
       WHERE indrelid IN ('records'::regclass, 'head'::regclass, 'sandbox_leases'::regclass, 'sandbox_presences'::regclass)`,
    )
    assert.ok(rows.length > 15)
    for (const { name, first } of rows) assert.is(first, 'sandbox', name)
    for (const count of [0, RECORDS]) {
      if (count > 0) await fillRecords(client, count)
      for (const { text, values } of queries) {
        const isEmpty = count === 0
        for (const plans of [
          await explain(client, text),
          ...(isEmpty ? [] : [await explain(client, text, values)]),
        ])
          assert.equal(findUnrestrictedScans(plans), [], `${text} with ${values} among ${count} records`)
      }
    }
  })
  await dropDatabase(url)
})

test('disables JIT compilation on every connection', async () => {
  const url = new URL(await newDatabaseUrl())
  const proxy = await openProxy(url.href)
  const store = await openAt(proxy.url)
  await put(store, customer('cus_1'))
  await Promise.all(
    Array.from({ length: 4 }, (_, number) => store.count(number % 2 ? 'events' : 'customers')),
  )
  await store.close()
  await proxy.close()
  const sessions = proxy.sessions().map((texts) => texts.filter((text) => SESSION.test(text)))
  assert.ok(sessions.length > 2)
  for (const settings of sessions) assert.match(settings[0] ?? '', 'SET jit = off')
  await dropDatabase(url.href)
})

test.run()
