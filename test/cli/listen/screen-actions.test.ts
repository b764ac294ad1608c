import { events } from '../../../src/api/operations/events.ts'
import { webhookDeliveries } from '../../../src/api/operations/webhook-deliveries.ts'
import { createScreenActions } from '../../../src/cli/listen/screen-actions.ts'
import { ApiError } from '../../../src/client/api-error.ts'
import type { Client } from '../../../src/client/client.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/screen-actions')

function apiError(code: string, param: string | null, message: string): ApiError {
  const rest = { errors: [], suggestion: null, doc_url: null, request_id: null, decline_code: null }
  return new ApiError(400, { type: 'invalid_request_error', code, message, param, payment: null, ...rest })
}

const DONE = 'Before that 1 of 2 events was resent, the last was evt_1.'
const CREATE = 'Listen with --forward-to, or create one: paycli webhooks endpoints create'

/** Columns: error, its note when the only event fails, its note when the second event fails. */
const ERRORS: readonly (readonly [error: Error, only: string, second: string])[] = [
  [
    apiError('resource_missing', 'webhook_endpoint', 'Create one with POST /v1/webhook_endpoints'),
    `Nothing was sent: no enabled endpoint receives this event type. ${CREATE}`,
    `No enabled endpoint receives this event type. ${DONE} ${CREATE}`,
  ],
  ...[apiError('resource_missing', 'id', 'No such event.'), new Error('The server is unavailable.')].map(
    (error) => [error, error.message, `${error.message} ${DONE}`] as const,
  ),
]

for (const [error, only, second] of ERRORS) {
  test(`shows the message of the error '${error.message}', and the events that were resent before it`, async () => {
    const call = async (operation: unknown, { id }: { readonly id: string }) => {
      if (operation === events.resend && id === 'evt_2') throw error
      return { data: [{}] }
    }
    const noteOf = (ids: readonly string[]) =>
      createScreenActions({ call } as unknown as Client)
        .resend(ids)
        .catch((thrown: unknown) => Object(thrown).message)
    assert.is(await noteOf(['evt_2']), only)
    assert.is(await noteOf(['evt_1', 'evt_2']), second)
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
