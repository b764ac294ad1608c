import type { StreamOffer } from '../../../src/api/resources/stream-messages.ts'
import { createForwarder, type SendToTarget } from '../../../src/cli/listen/forwarder.ts'
import type { Client } from '../../../src/client/client.ts'
import { ConnectionError } from '../../../src/client/connection-error.ts'
import type { DeliveryRecord } from '../../../src/client/listen-records.ts'
import { OUTCOME } from '../../support/delivery-outcome.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/forwarder')

const BODY = '{"id":"evt_1", "type":"customer.created","z":"é"}'
const OFFER: StreamOffer = {
  delivery: 'whd_1',
  event: 'evt_1',
  webhook_endpoint: 'we_1',
  attempt: 1,
  trigger: 'automatic',
  fault: null,
  request: { url: 'http://127.0.0.1:3000/', headers: { 'webhook-id': 'evt_1' }, body: BODY },
}

interface ForwardingOptions {
  readonly isWanted?: boolean
  readonly report?: () => Promise<object>
  readonly send?: SendToTarget
}

function forwarding({
  isWanted = true,
  report = async () => ({ taken: true }),
  send = async () => OUTCOME,
}: ForwardingOptions = {}) {
  const [sent, reported, records]: [object[], object[], DeliveryRecord[]] = [[], [], []]
  const client = {
    send(_operation: object, params: object) {
      reported.push(params)
      return report()
    },
  } as unknown as Client
  const forwarder = createForwarder({
    client,
    send(request) {
      sent.push(request)
      return send(request)
    },
    headers: { 'x-tenant': '7' },
    isWanted: () => isWanted,
    onEvent: () => {},
    onDelivery: (record) => records.push(record),
  })
  return { forwarder, sent, reported, records }
}

test('sends an offer with the additional headers and reports its result to the server', async () => {
  const { forwarder, sent, reported, records } = forwarding()
  await forwarder.accept(OFFER)
  assert.equal(sent, [
    { url: OFFER.request.url, body: BODY, headers: { 'webhook-id': 'evt_1', 'x-tenant': '7' } },
  ])
  assert.equal(reported, [{ delivery: 'whd_1', ...OUTCOME }])
  // Additional headers may contain secrets, so they are not recorded.
  assert.equal(
    [records[0]?.event_type, records[0]?.request_headers],
    ['customer.created', { 'webhook-id': 'evt_1' }],
  )
})

test('reports the result of a delivery that is offered again, but does not send it again', async () => {
  const { forwarder, sent, reported, records } = forwarding()
  await Promise.all([forwarder.accept(OFFER), forwarder.accept(OFFER)])
  await forwarder.accept(OFFER)
  assert.equal([sent.length, records.length, reported.length], [1, 1, 3])
})

test('reports an event outside the event types of the target as skipped', async () => {
  const { forwarder, sent, reported } = forwarding({ isWanted: false })
  await forwarder.accept(OFFER)
  assert.equal([sent, reported], [[], [{ delivery: 'whd_1', skipped: true }]])
})

test('ignores an unavailable server when it reports a result, but rejects after an error response', async () => {
  const lost = new ConnectionError('connection_lost', 'http://127.0.0.1:1', {
    problem: 'Lost',
    hint: 'Wait.',
  })
  const unavailable = forwarding({ report: () => Promise.reject(lost) })
  await unavailable.forwarder.accept(OFFER)
  assert.is(unavailable.reported.length, 1)
  const rejected = forwarding({ report: () => Promise.reject(new Error('rejected')) })
  const message = await rejected.forwarder.accept(OFFER).catch((error) => error.message)
  assert.is(message, 'rejected')
})

test('reports a request that cannot be sent as a failed delivery', async () => {
  const { forwarder, records } = forwarding({ send: () => Promise.reject(new Error('invalid header')) })
  await forwarder.accept(OFFER)
  assert.equal([records[0]?.error, records[0]?.error_message], ['connection', 'invalid header'])
})

test.run()
