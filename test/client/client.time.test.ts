import { customers } from '../../src/api/operations/customers.ts'
import { createClient } from '../../src/client/client.ts'
import { ConnectionError } from '../../src/client/connection-error.ts'
import { assert, suite } from '../support/suite.ts'
import { type FakeServer, type Reaction, startFakeServer } from './fake-server.ts'

const test = suite('client/client.time')

let server: FakeServer
let reaction: Reaction

test.before(async () => {
  server = await startFakeServer(() => reaction)
})

test.after(() => server.stop())

test('now() returns the time of the server', async () => {
  reaction = { body: { status: 'ok' }, headers: { Date: 'Mon, 01 Jan 2024 00:00:00 GMT' } }
  assert.is(await createClient({ apiBase: server.url }).now(), 1704067200)
  assert.is(`${server.seen[0]?.method} ${server.seen[0]?.url}`, 'GET /healthz')
})

test('now() throws not_paycli for a response without a date', async () => {
  reaction = { body: { status: 'ok' }, headers: { Date: 'today' } }
  const error = await createClient({ apiBase: server.url })
    .now()
    .catch((thrown: unknown) => thrown)
  assert.instance(error, ConnectionError)
  assert.match(String(error), 'responded 200 with no date')
})

test('a request with an infinite timeout does not time out immediately', async () => {
  reaction = { body: { id: 'cus_1' } }
  const client = createClient({ apiBase: server.url, timeoutMs: Infinity })
  assert.equal(await client.call(customers.retrieve, { id: 'cus_1' }), { id: 'cus_1' })
})

test.run()
