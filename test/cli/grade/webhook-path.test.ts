import { findWebhookPath } from '../../../src/cli/grade/webhook-path.ts'
import type { HandlerTestClient } from '../../../src/cli/webhook-tools/handler-check.ts'
import { createSampleEvent } from '../../../src/cli/webhook-tools/handler-check.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/grade/webhook-path')

type Respond = (path: string, isSigned: boolean) => number | null

/** Finds the path of an app that responds with these statuses. */
function find(respond: Respond): Promise<string> {
  const tools: HandlerTestClient = {
    createCases: () => [],
    newEventId: () => 'evt_1',
    sign: (url) => ({ url, headers: { 'webhook-signature': 'v1,x' }, body: '' }),
    send: async ({ url, headers }) => {
      const http_status = respond(new URL(url).pathname, 'webhook-signature' in headers)
      return { http_status, error: null, error_message: null, duration_ms: 1 }
    },
  }
  return findWebhookPath('http://localhost:1', { secret: 'whsec_x', event: createSampleEvent(0) }, tools)
}

test('prefers a path that accepts only signed events to a page that accepts everything', async () => {
  const found = await find((path, isSigned) =>
    path === '/api/webhook/billing' ? (isSigned ? 204 : 400) : 200,
  )
  assert.is(found, '/api/webhook/billing')
})

test('finds a handler that verifies no signature, and one that rejects every event', async () => {
  assert.is(await find((path) => (path === '/hooks' ? 200 : 404)), '/hooks')
  assert.is(await find((path) => (path === '/paycli/webhook' ? 401 : 404)), '/paycli/webhook')
  assert.is(await find(() => 200), '/webhooks')
  assert.is(await find((path) => (path === '/hooks' ? null : 404)), '/hooks')
})

test('names --url when there is no handler at a common path', async () => {
  const message = await find(() => 404).catch((error) => `${error.message} ${error.hint}`)
  assert.match(message, /no webhook handler at \d+ common paths\. Give the path of the handler: --url/)
})

test.run()
