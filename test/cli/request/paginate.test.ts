import { customers } from '../../../src/api/operations/customers.ts'
import { readAllPages, readPages } from '../../../src/cli/request/paginate.ts'
import { createClient } from '../../../src/client/client.ts'
import { startFakeServer } from '../../client/fake-server.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/paginate')

interface Cursor {
  readonly limit: number
  readonly starting_after?: string
}

/** Creates a list of `total` objects, newest first, that records the cursors with which it is read. */
function createList(total: number) {
  const all = Array.from({ length: total }, (_, index) => ({ id: `x_${index}` }))
  const cursors: Cursor[] = []
  const read = async (cursor: Cursor) => {
    cursors.push(cursor)
    const start = all.findIndex(({ id }) => id === cursor.starting_after) + 1
    const data = all.slice(start, start + cursor.limit)
    return { data, has_more: start + data.length < total }
  }
  return { all, cursors, read }
}

test('reads every page of a list, starting each page after the last object of the previous page', async () => {
  const { all, cursors, read } = createList(250)
  assert.equal(await readPages(read, 1000), { found: all, hasMore: false })
  assert.equal(cursors, [
    { limit: 100 },
    { limit: 100, starting_after: 'x_99' },
    { limit: 100, starting_after: 'x_199' },
  ])
})

test('stops at the maximum number of objects and reports whether the list has more', async () => {
  const { all, cursors, read } = createList(250)
  assert.equal(await readPages(read, 150), { found: all.slice(0, 150), hasMore: true })
  assert.is(cursors.at(-1)?.limit, 50)
  assert.is((await readPages(createList(150).read, 150)).hasMore, false)
})

test('returns no objects for an empty list, and stops reading at an empty page', async () => {
  assert.equal(await readPages(createList(0).read, 10), { found: [], hasMore: false })
  const readEmpty = async () => ({ data: [], has_more: true })
  assert.equal(await readPages(readEmpty, 10), { found: [], hasMore: false })
})

/** Sends a request for all pages to a server with these responses, and returns the result with the requested URLs. */
async function sendTo(responses: readonly object[], params: object) {
  const server = await startFakeServer((_, count) => ({ body: responses[count - 1] ?? {} }))
  const response = await readAllPages(createClient({ apiBase: server.url }), customers.list, { ...params })
  await server.stop()
  return { response, urls: server.seen.map(({ url }) => url) }
}

test('returns all pages as one list, and sends the filters with every page request', async () => {
  const list = { object: 'list', url: '/v1/customers' }
  const pages = [['a', 'b'], ['c', 'd'], ['e']].map((ids) => ids.map((id) => ({ id })))
  const responses = pages.map((data, index) => ({ ...list, data, has_more: index < 2 }))
  const { response, urls } = await sendTo(responses, { email: 'x@example.com' })
  assert.equal(response, { ...list, data: pages.flat(), has_more: false })
  const url = '/v1/customers?limit=100&email=x%40example.com'
  assert.equal(urls, [url, `${url}&starting_after=b`, `${url}&starting_after=d`])
})

test('sends the given limit, and returns a non-list response unchanged', async () => {
  const { response, urls } = await sendTo([{ object: 'customer', id: 'cus_1' }], { limit: 5 })
  assert.equal(response, { object: 'customer', id: 'cus_1' })
  assert.equal(urls, ['/v1/customers?limit=5'])
})

test.run()
