import { customers } from '../../src/api/customers.ts'
import { NotSent, withoutChanges } from '../../src/cli/dry-run.ts'
import { createClient } from '../../src/client/client.ts'
import { startFakeServer } from '../client/fake-server.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('cli/dry-run')

test('reads as usual, and stops at the first change with what would have been sent', async () => {
  const server = await startFakeServer(() => ({ body: { id: 'cus_1' } }))
  const client = withoutChanges(createClient({ apiBase: server.url }), server.url)
  await client.call(customers.retrieve, { id: 'cus_1' })
  const errors = await Promise.all(
    [
      client.call(customers.update, { id: 'cus_1', name: 'Ada' }),
      client.call(customers.delete, { id: 'cus_1' }),
    ].map((call) =>
      call.then(
        () => null,
        (error: unknown) => error,
      ),
    ),
  )
  await server.stop()
  assert.equal(
    errors.map((error) => (error instanceof NotSent ? error.request : error)),
    [
      { method: 'POST', url: `${server.url}/v1/customers/cus_1`, body: { name: 'Ada' } },
      { method: 'DELETE', url: `${server.url}/v1/customers/cus_1`, body: null },
    ],
  )
  assert.equal(
    server.seen.map(({ method }) => method),
    ['GET'],
  )
})

test.run()
