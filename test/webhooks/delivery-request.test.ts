import type { Event } from '../../src/domain/events/events.ts'
import { createDeliveryRequest } from '../../src/webhooks/delivery-request.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('webhooks/delivery-request')

const headersOf = (sandbox?: string | null) =>
  createDeliveryRequest('http://127.0.0.1/', { id: 'evt_1' } as Event, {
    ...{ secrets: ['whsec_b25l'], timestamp: 1 },
    ...(sandbox === undefined ? {} : { sandbox }),
  }).headers

test('deliveries of the default sandbox have no sandbox header', () => {
  for (const headers of [headersOf(), headersOf(null)]) assert.not('paycli-sandbox' in headers)
})

const NAMES = {
  'Worker 1': 'Worker 1',
  sbx_1: 'sbx_1',
  'Zoë 🧾': 'Zo%C3%AB %F0%9F%A7%BE',
  'a\r\nwebhook-id: b': 'a%0D%0Awebhook-id: b',
  ' 100% ': '%20100%25%20',
  'a\u0000\u007fb': 'a%00%7Fb',
}

for (const [name, value] of Object.entries(NAMES)) {
  test(`names the sandbox ${JSON.stringify(name)} in a header that decodes to the name`, () => {
    assert.is(headersOf(name)['paycli-sandbox'], value)
    assert.is(decodeURIComponent(value), name)
  })
}

test('the sandbox header replaces a lone surrogate in the name of the sandbox', () => {
  assert.is(headersOf('a\ud800')['paycli-sandbox'], 'a%EF%BF%BD')
})

test.run()
