import type { StreamOffer } from '../../../src/api/resources/streams.ts'
import type { OutboundRequest } from '../../../src/cli/listen/delivery-process.ts'
import { createForwarder } from '../../../src/cli/listen/forwarder.ts'
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
  request: { url: 'http://127.0.0.1:3000/', headers: { 'webhook-id': 'evt_1' }, body: BODY },
}

function forwarding(isWanted = true, report = async (): Promise<object> => ({ taken: true })) {
  const [sent, reported, records]: [OutboundRequest[], object[], DeliveryRecord[]] = [[], [], []]
  const known: string[] = []
  const client = {
    send(_operation: object, params: object) {
      reported.push(params)
      return report()
    },
  } as unknown as Client
  const forwarder = createForwarder({
    client,
    deliveryProcess: {
      async send(_delivery, request) {
        sent.push(request)
        return OUTCOME
      },
      markReported: (delivery) => known.push(delivery),
    },
    headers: { 'x-tenant': '7' },
    isWanted: () => isWanted,
    onEvent: () => {},
    onDelivery: (record) => records.push(record),
  })
  return { forwarder, sent, reported, records, known }
}

test('sends an offer with the additional headers and reports its result to the service', async () => {
  const { forwarder, sent, reported, records, known } = forwarding()
  await forwarder.accept(OFFER)
  assert.equal(sent, [
    { url: OFFER.request.url, body: BODY, headers: { 'webhook-id': 'evt_1', 'x-tenant': '7' } },
  ])
  assert.equal([reported, known], [[{ delivery: 'whd_1', ...OUTCOME }], ['whd_1']])
  // Additional headers may be secrets, so they are not recorded.
  assert.equal(
    [records[0]?.event_type, records[0]?.request_headers],
    ['customer.created', { 'webhook-id': 'evt_1' }],
  )
})

test('reports the result of a delivery that is offered again, but does not send it again', async () => {
  const { forwarder, sent, reported, records } = forwarding()
  await Promise.all([forwarder.accept(OFFER), forwarder.accept(OFFER)])
  await forwarder.accept(OFFER)
  assert.equal([sent.length, records.length, reported.length], [1, 1, 2])
})

test('reports an event outside the subscription of the target as skipped', async () => {
  const { forwarder, sent, reported } = forwarding(false)
  await forwarder.accept(OFFER)
  assert.equal([sent, reported], [[], [{ delivery: 'whd_1', skipped: true }]])
})

test('ignores an unavailable service when it leases a delivery, but rejects after an error response', async () => {
  const lost = new ConnectionError('connection_lost', 'http://127.0.0.1:1', {
    problem: 'Lost',
    hint: 'Wait.',
  })
  const unavailable = forwarding(true, () => Promise.reject(lost))
  await unavailable.forwarder.accept(OFFER)
  const tooLate = forwarding(true, async () => ({ taken: false }))
  await tooLate.forwarder.accept(OFFER)
  assert.equal([unavailable.known, tooLate.known], [[], []])
  const message = await forwarding(true, () => Promise.reject(new Error('rejected')))
    .forwarder.accept(OFFER)
    .catch((error) => error.message)
  assert.is(message, 'rejected')
})

test.run()
