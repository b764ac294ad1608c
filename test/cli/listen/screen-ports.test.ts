import { events } from '../../../src/api/operations/events.ts'
import { screenPorts } from '../../../src/cli/listen/screen-ports.ts'
import { ApiError } from '../../../src/client/api-error.ts'
import type { Client } from '../../../src/client/client.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/screen-ports')

function clientThatThrows(error: Error): Client {
  const fail = () => Promise.reject(error)
  return { call: fail, send: fail, now: fail } as unknown as Client
}

function refusal(code: string, param: string | null, message: string): ApiError {
  const nothing = { errors: [], suggestion: null, doc_url: null, request_id: null, decline_code: null }
  return new ApiError(400, { type: 'invalid_request_error', code, message, param, payment: null, ...nothing })
}

for (const [error, says] of [
  [
    refusal('resource_missing', 'webhook_endpoint', 'Name one in webhook_endpoint.'),
    /^Nothing was sent: no enabled endpoint wants it\. .*paycli webhooks endpoints create$/,
  ],
  [
    refusal('resource_missing', 'id', 'No such event. List them with GET /v1/events.'),
    /^No such event\. List them with paycli events list\.$/,
  ],
  [new Error('The service is away.'), /^The service is away\.$/],
] as const) {
  test(`a note says '${error.message}' in words of the command line`, async () => {
    const { resend } = screenPorts(clientThatThrows(error))
    const told: unknown = await resend(['evt_1']).catch((reason: unknown) => reason)
    assert.match(String(Object(told).message), says)
  })
}

const DONE = 'Before that 1 of 2 events was resent, the last was evt_1.'

/** What the second event of two is answered, and the note of both. */
for (const [error, note] of [
  [
    refusal(
      'resource_missing',
      'webhook_endpoint',
      'No enabled endpoint wants it. Create one with POST /v1/webhook_endpoints',
    ),
    `No enabled endpoint wants it. ${DONE} Listen with --forward-to, or paycli webhooks endpoints create`,
  ],
  [
    refusal('resource_missing', 'id', 'No such event. List them with GET /v1/events.'),
    `No such event. List them with paycli events list. ${DONE}`,
  ],
  [new Error('The service is away.'), `The service is away. ${DONE}`],
] as const) {
  test(`a note on '${error.message}' for the second event says that the first was resent`, async () => {
    const call = async (operation: unknown, { id }: { readonly id: string }) => {
      if (operation === events.resend && id === 'evt_2') throw error
      return { data: [{}] }
    }
    const told: unknown = await screenPorts({ call } as unknown as Client)
      .resend(['evt_1', 'evt_2'])
      .catch((reason: unknown) => reason)
    assert.is(Object(told).message, note)
  })
}

test.run()
