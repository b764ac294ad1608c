import { customers } from '../../../src/api/operations/customers.ts'
import { sendForAll } from '../../../src/cli/request/all-pages.ts'
import { createClient } from '../../../src/client/client.ts'
import { startFakeServer } from '../../client/fake-server.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/all-pages')

test('a list is read to its end with its filters, and is one list', async () => {
  const pages = [['a', 'b'], ['c', 'd'], ['e']]
  const server = await startFakeServer((_, count) => ({
    body: {
      object: 'list',
      url: '/v1/customers',
      data: (pages[count - 1] ?? []).map((id) => ({ id })),
      has_more: count < pages.length,
    },
  }))
  const client = createClient({ apiBase: server.url })
  const all = await sendForAll(client, customers.list, { email: 'x@example.com' })
  await server.stop()
  const data = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id }))
  assert.equal(all, { object: 'list', url: '/v1/customers', data, has_more: false })
  const asked = '/v1/customers?limit=100&email=x%40example.com'
  assert.equal(
    server.seen.map(({ url }) => url),
    [asked, `${asked}&starting_after=b`, `${asked}&starting_after=d`],
  )
})

test.run()
