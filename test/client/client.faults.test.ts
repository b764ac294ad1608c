import { api } from '../../src/api/api.ts'
import { ApiError } from '../../src/client/api-error.ts'
import { type Client, createClient } from '../../src/client/client.ts'
import type { ConnectionError } from '../../src/client/connection-error.ts'
import type { FaultFields } from '../../src/domain/faults/faults.ts'
import { KEY, serveSandbox } from '../daemon/http/serve-sandbox.ts'
import { assert, suite } from '../support/suite.ts'
import { assertConnectionError } from './client-fixtures.ts'

const faults = suite('client faults')

interface FaultedCall {
  readonly outcome: unknown
  /** The number of requests that the fault matched. */
  readonly requests: number
  readonly emails: readonly string[]
}

/** Calls a server with a fault. Returns the result or the error, and the customers that exist afterwards. */
async function callWith(
  fields: FaultFields,
  work: (client: Client) => Promise<unknown> = (client) =>
    client.call(api.customers.create, { email: 'ada@example.com' }),
): Promise<FaultedCall> {
  const served = await serveSandbox()
  const { sandbox, apiUrl } = served
  try {
    const { id } = await sandbox.call(api.faults.create, fields)
    const outcome = await work(createClient({ apiBase: apiUrl, apiKey: KEY })).catch(
      (error: unknown) => error,
    )
    const { matched } = await sandbox.call(api.faults.retrieve, { id })
    const { data } = await sandbox.call(api.customers.list, {})
    return { outcome, requests: matched, emails: data.map(({ email }) => email) }
  } finally {
    await served.close()
  }
}

for (const type of ['drop_request', 'drop_response', 'truncate_response'] as const) {
  faults(`creates one object when ${type} applies to two attempts`, async () => {
    const { outcome, requests, emails } = await callWith({ type, times: 2 })
    assert.is((outcome as { email?: string }).email, 'ada@example.com')
    assert.equal([requests, emails], [3, ['ada@example.com']])
  })

  faults(
    `throws connection_lost with the idempotency key when ${type} applies to every attempt`,
    async () => {
      const { outcome, requests, emails } = await callWith({ type })
      assertConnectionError(outcome, 'connection_lost', /closed the connection/)
      assert.ok((outcome as ConnectionError).idempotencyKey)
      assert.equal([requests, emails.length], [3, type === 'drop_request' ? 0 : 1])
    },
  )
}

faults('does not repeat a DELETE whose response is lost', async () => {
  const { outcome, requests } = await callWith(
    { type: 'drop_response', match: { operation: 'customers.delete' } },
    async (client) => {
      const { id } = await client.call(api.customers.create, { email: 'ada@example.com' })
      return client.call(api.customers.delete, { id })
    },
  )
  assertConnectionError(outcome, 'connection_lost', /closed the connection/)
  assert.is(requests, 1)
})

for (const fields of [
  { type: 'delay_request', delay_ms: 1 },
  { type: 'delay_response', delay_ms: 1 },
  { type: 'slow_response', bytes_per_second: 2000 },
] as const) {
  faults(`waits for the response with ${fields.type}`, async () => {
    const { outcome, requests } = await callWith(fields)
    assert.is((outcome as { email?: string }).email, 'ada@example.com')
    assert.is(requests, 1)
  })
}

for (const http_status of [429, 500, 502, 503] as const) {
  faults(`throws the simulated error ${http_status} without another attempt`, async () => {
    const { outcome, requests, emails } = await callWith({ type: 'error', http_status, retry_after: 1 })
    assert.instance(outcome, ApiError)
    assert.is((outcome as ApiError).status, Number(http_status))
    assert.match((outcome as ApiError).message, /^The fault flt_\w+ simulates this error\./)
    assert.equal([requests, emails], [1, []])
  })
}

faults.run()
