import {
  analyzeNewRecords,
  createFirstAnalysisTrigger,
} from '../../../src/store/postgres/table-statistics.ts'
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

test('the query for a record by id uses the index of ids after the first commits', async ({ url }) => {
  const store = await openAt(url)
  await put(store, ...customers(2000))
  assert.equal(await indexesOfGet(url), ['records_place'], 'PostgreSQL needs no statistics any more')
  for (const one of customers(50)) await put(store, one)
  await until(async () => (await indexesOfGet(url)).includes('records_pkey'))
  await store.close()
})

test('opening a store analyzes records that another process wrote', async ({ url }) => {
  const store = await openAt(url)
  await put(store, ...customers(2000))
  await store.close()
  await (await openAt(url)).close()
  assert.equal(await indexesOfGet(url), ['records_pkey'])
})

test('requests statistics after 50, 500 and 5,000 commits', async () => {
  let [asked, commits] = [0, 0]
  const noteCommit = createFirstAnalysisTrigger(async () => {
    asked += 1
    return []
  })
  const after = (total: number) => {
    for (; commits < total; commits += 1) noteCommit()
    return asked
  }
  assert.equal([49, 50, 499, 500, 4999, 5000, 60_000].map(after), [0, 1, 1, 2, 2, 3, 3])
})

test('analyzes only a table with outdated statistics', async () => {
  const sent: string[] = []
  const analyze = (outdated: boolean) =>
    analyzeNewRecords(async (text) => {
      sent.push(text)
      return [{ outdated }]
    })
  await analyze(false)
  assert.is(sent.length, 1)
  await analyze(true)
  assert.is(sent.at(-1), 'ANALYZE records')
})

test.run()
