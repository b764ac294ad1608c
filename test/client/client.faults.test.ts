import { api } from '../../src/api/api.ts'
import { ApiError } from '../../src/client/api-error.ts'
import { createClient } from '../../src/client/client.ts'
import type { FaultParams } from '../../src/domain/faults/faults.ts'
import { KEY, serveSandbox } from '../daemon/http/serve-sandbox.ts'
import { assert, suite } from '../support/suite.ts'

const faults = suite('client faults')

interface FaultedCall {
  readonly outcome: unknown
  /** The number of requests that the fault matched. */
  readonly requests: number
  readonly emails: readonly string[]
}

/** Creates a customer on a server with a fault. Returns the result or the error, and the customers that exist afterwards. */
async function callWith(fields: FaultParams): Promise<FaultedCall> {
  const served = await serveSandbox()
  const { sandbox, apiUrl } = served
  try {
    const { id } = await sandbox.call(api.faults.create, fields)
    const { call } = createClient({ apiBase: apiUrl, apiKey: KEY })
    const outcome = await call(api.customers.create, { email: 'ada@example.com' }).catch(
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
}

for (const http_status of [429, 503] as const) {
  faults(`throws the simulated error ${http_status} without another attempt`, async () => {
    const { outcome, requests, emails } = await callWith({ type: 'error', http_status, retry_after: 1 })
    assert.instance(outcome, ApiError)
    assert.is((outcome as ApiError).status, Number(http_status))
    assert.match((outcome as ApiError).message, /^The fault flt_\w+ simulates this error\./)
    assert.equal([requests, emails], [1, []])
  })
}

faults.run()
