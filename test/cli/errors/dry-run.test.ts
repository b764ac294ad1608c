import { customers } from '../../../src/api/operations/customers.ts'
import { createDryRunClient, DryRunError } from '../../../src/cli/errors/dry-run.ts'
import { type Client, createClient } from '../../../src/client/client.ts'
import { startFakeServer } from '../../client/fake-server.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/dry-run')

/** Sends an update and a deletion, and returns the requests that were not sent. */
async function unsentRequests(client: Client): Promise<unknown[]> {
  const errors = [
    await client.call(customers.update, { id: 'cus_1', name: 'Ada' }).catch((error: unknown) => error),
    await client.call(customers.delete, { id: 'cus_1' }).catch((error: unknown) => error),
  ]
  return errors.map((error) => (error instanceof DryRunError ? error.request : error))
}

test('sends GET requests, and throws DryRunError for the first change', async () => {
  const server = await startFakeServer(() => ({ body: { id: 'cus_1' } }))
  const client = createDryRunClient(createClient({ apiBase: server.url }), { apiBase: server.url })
  await client.call(customers.retrieve, { id: 'cus_1' })
  const requests = await unsentRequests(client)
  await server.stop()
  assert.equal(requests, [
    { method: 'POST', url: `${server.url}/v1/customers/cus_1`, body: { name: 'Ada' } },
    { method: 'DELETE', url: `${server.url}/v1/customers/cus_1`, body: null },
  ])
  assert.equal(
    server.seen.map(({ method }) => method),
    ['GET'],
  )
})

test('includes the idempotency key of the user only for a POST', async () => {
  const options = { apiBase: 'http://127.0.0.1:1', idempotencyKey: 'k9' }
  const client = createDryRunClient(createClient(options), options)
  const url = 'http://127.0.0.1:1/v1/customers/cus_1'
  assert.equal(await unsentRequests(client), [
    { method: 'POST', url, headers: { 'Idempotency-Key': 'k9' }, body: { name: 'Ada' } },
    { method: 'DELETE', url, body: null },
  ])
})

test.run()
