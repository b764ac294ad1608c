import { events } from '../../../src/api/operations/events.ts'
import { webhookDeliveries } from '../../../src/api/operations/webhook-deliveries.ts'
import { createScreenActions } from '../../../src/cli/listen/screen-actions.ts'
import { ApiError } from '../../../src/client/api-error.ts'
import type { Client } from '../../../src/client/client.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/screen-actions')

function clientThatThrows(error: Error): Client {
  const fail = () => Promise.reject(error)
  return { call: fail, send: fail, now: fail } as unknown as Client
}

function apiError(code: string, param: string | null, message: string): ApiError {
  const rest = { errors: [], suggestion: null, doc_url: null, request_id: null, decline_code: null }
  return new ApiError(400, { type: 'invalid_request_error', code, message, param, payment: null, ...rest })
}

for (const [error, note] of [
  [
    apiError('resource_missing', 'webhook_endpoint', 'Name one in webhook_endpoint.'),
    /^Nothing was sent: no enabled endpoint wants it\. .*paycli webhooks endpoints create$/,
  ],
  [
    apiError('resource_missing', 'id', 'No such event. List them with GET /v1/events.'),
    /^No such event\. List them with GET \/v1\/events\.$/,
  ],
  [new Error('The server is unavailable.'), /^The server is unavailable\.$/],
] as const) {
  test(`shows the message of the error '${error.message}'`, async () => {
    const { resend } = createScreenActions(clientThatThrows(error))
    const thrown: unknown = await resend(['evt_1']).catch((reason: unknown) => reason)
    assert.match(String(Object(thrown).message), note)
  })
}

const DONE = 'Before that 1 of 2 events was resent, the last was evt_1.'

for (const [error, note] of [
  [
    apiError(
      'resource_missing',
      'webhook_endpoint',
      'No enabled endpoint wants it. Create one with POST /v1/webhook_endpoints',
    ),
    `No enabled endpoint wants it. ${DONE} Listen with --forward-to, or create one: paycli webhooks endpoints create`,
  ],
  [
    apiError('resource_missing', 'id', 'No such event. List them with GET /v1/events.'),
    `No such event. List them with GET /v1/events. ${DONE}`,
  ],
  [new Error('The server is unavailable.'), `The server is unavailable. ${DONE}`],
] as const) {
  test(`reports the first event as resent when the second one fails with '${error.message}'`, async () => {
    const call = async (operation: unknown, { id }: { readonly id: string }) => {
      if (operation === events.resend && id === 'evt_2') throw error
      return { data: [{}] }
    }
    const thrown: unknown = await createScreenActions({ call } as unknown as Client)
      .resend(['evt_1', 'evt_2'])
      .catch((reason: unknown) => reason)
    assert.is(Object(thrown).message, note)
  })
}

test('reads the pending delivery attempts, which contain the retry times', async () => {
  const calls: unknown[] = []
  const call = async (operation: unknown, params: object) => {
    calls.push([operation, params])
    return { data: ['attempt'] }
  }
  const actions = createScreenActions({ call } as unknown as Client)
  assert.equal(await actions.pendingAttempts(), ['attempt'])
  assert.equal(calls, [[webhookDeliveries.list, { status: 'pending', limit: 100 }]])
})

test.run()
