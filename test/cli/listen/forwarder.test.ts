import type { StreamOffer } from '../../../src/api/resources/streams.ts'
import type { Outbound } from '../../../src/cli/listen/delivery-process.ts'
import { createForwarder } from '../../../src/cli/listen/forwarder.ts'
import type { Client } from '../../../src/client/client.ts'
import { ConnectionError } from '../../../src/client/connection-error.ts'
import type { DeliveryRecord } from '../../../src/client/listen-records.ts'
import { assert, suite } from '../../support/suite.ts'
import { OUTCOME } from '../output/result-summary.ts'

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
  const [sent, reported, told]: [Outbound[], object[], DeliveryRecord[]] = [[], [], []]
  const known: string[] = []
  const client = {
    send(_operation: object, params: object) {
      reported.push(params)
      return report()
    },
  } as unknown as Client
  const forwarder = createForwarder({
    client,
    carrier: {
      async send(_delivery, request) {
        sent.push(request)
        return OUTCOME
      },
      reported: (delivery) => known.push(delivery),
    },
    headers: { 'x-tenant': '7' },
    isWanted: () => isWanted,
    onEvent: () => {},
    onDelivery: (record) => told.push(record),
  })
  return { forwarder, sent, reported, told, known }
}

test('an offer is sent as it is, with the extra headers, and its result reported', async () => {
  const { forwarder, sent, reported, told, known } = forwarding()
  await forwarder.take(OFFER)
  assert.equal(sent, [
    { url: OFFER.request.url, body: BODY, headers: { 'webhook-id': 'evt_1', 'x-tenant': '7' } },
  ])
  assert.equal([reported, known], [[{ delivery: 'whd_1', ...OUTCOME }], ['whd_1']])
  // What it was sent with besides may be a secret, and is told nobody.
  assert.equal(
    [told[0]?.event_type, told[0]?.request_headers],
    ['customer.created', { 'webhook-id': 'evt_1' }],
  )
})

test('what is offered again is reported again and not sent again', async () => {
  const { forwarder, sent, reported, told } = forwarding()
  await Promise.all([forwarder.take(OFFER), forwarder.take(OFFER)])
  await forwarder.take(OFFER)
  assert.equal([sent.length, told.length, reported.length], [1, 1, 2])
})

test('what is not wanted is reported as skipped', async () => {
  const { forwarder, sent, reported } = forwarding(false)
  await forwarder.take(OFFER)
  assert.equal([sent, reported], [[], [{ delivery: 'whd_1', skipped: true }]])
})

test('a service that is away is no error, a no is one', async () => {
  const lost = new ConnectionError('connection_lost', 'http://127.0.0.1:1', {
    problem: 'Lost',
    hint: 'Wait.',
  })
  const away = forwarding(true, () => Promise.reject(lost))
  await away.forwarder.take(OFFER)
  const tooLate = forwarding(true, async () => ({ taken: false }))
  await tooLate.forwarder.take(OFFER)
  assert.equal([away.known, tooLate.known], [[], []])
  const refused = await forwarding(true, () => Promise.reject(new Error('no')))
    .forwarder.take(OFFER)
    .catch((error) => error.message)
  assert.is(refused, 'no')
})

test.run()
