import { analyzeNewRecords, createFirstAnalysis } from '../../../src/store/postgres/table-statistics.ts'
import { dropDatabase, newDatabaseUrl, onDatabase, stopOwnPostgres } from '../../support/postgres.ts'
import { assert, suite } from '../../support/suite.ts'
import { customer, put } from '../fixture.ts'
import { openAt, schemaOf, until } from './postgres-stores.ts'
import { explain } from './query-plans.ts'

const GET = 'SELECT record FROM records WHERE sandbox = $1 AND kind = $2 AND id = $3'

const test = suite<{ url: string }>('store/postgres/table-statistics')

test.before.each(async (context) => {
  context.url = await newDatabaseUrl()
})

test.after.each(({ url }) => dropDatabase(url))

test.after(stopOwnPostgres)

/** Returns the indexes by which PostgreSQL finds one record. */
function indexesOfGet(url: string): Promise<readonly unknown[]> {
  return onDatabase(url, async (client) => {
    await client.query(`SET enable_seqscan = off; SET search_path TO "${schemaOf(url)}"`)
    const plans = await explain(client, GET)
    return plans.flatMap((plan) => plan['Index Name'] ?? [])
  })
}

const customers = (count: number) => Array.from({ length: count }, (_, at) => customer(`cus_${at}`))

test('finds a record by its id, and not by reading all of its kind, after the first commits', async ({
  url,
}) => {
  const store = await openAt(url)
  await put(store, ...customers(2000))
  assert.equal(await indexesOfGet(url), ['records_place'], 'PostgreSQL needs no statistics any more')
  for (const one of customers(50)) await put(store, one)
  await until(async () => (await indexesOfGet(url)).includes('records_pkey'))
  await store.close()
})

test('analyzes the records at the start after others wrote them', async ({ url }) => {
  const store = await openAt(url)
  await put(store, ...customers(2000))
  await store.close()
  await (await openAt(url)).close()
  assert.equal(await indexesOfGet(url), ['records_pkey'])
})

test('analyzes a table only once, after 50 commits', async () => {
  const sent: string[] = []
  const query = async (text: string) => {
    sent.push(text)
    return [{ missing: true }]
  }
  const noteCommit = createFirstAnalysis(query)
  for (let commits = 0; commits < 49; commits += 1) noteCommit()
  assert.equal(sent, [])
  for (let commits = 0; commits < 100; commits += 1) noteCommit()
  await until(() => sent.length === 2)
  assert.is(sent[1], 'ANALYZE records')
})

test('leaves a table with statistics to autovacuum', async () => {
  const sent: string[] = []
  await analyzeNewRecords(async (text) => {
    sent.push(text)
    return [{ missing: false }]
  })
  assert.is(sent.length, 1)
})

test.run()
