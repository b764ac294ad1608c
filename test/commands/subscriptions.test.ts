import { type FakeServer, startFakeServer } from '../client/fake-server.ts'
import { runCommand } from '../support/run-command.ts'
import { assert, suite } from '../support/suite.ts'

let server: FakeServer

const test = suite('commands/subscriptions')

test.before(async () => {
  server = await startFakeServer(({ url }) => {
    const status = url.includes('paused') ? 'paused' : 'active'
    return { body: { id: 'sub_1', object: 'subscription', status } }
  })
})

test.before.each(() => {
  server.seen.length = 0
})

test.after(() => server.stop())

const CALLS: readonly (readonly [args: readonly string[], request: string])[] = [
  [
    ['update', 'sub_1', '--cancel-at-period-end', '--description', 'Rent'],
    'POST /v1/subscriptions/sub_1 {"description":"Rent","cancel_at_period_end":true}',
  ],
  [
    ['update', 'sub_1', '--no-cancel-at-period-end', '--default-payment-method', '', '--metadata', 'a=1'],
    'POST /v1/subscriptions/sub_1 {"metadata":{"a":"1"},"default_payment_method":null,"cancel_at_period_end":false}',
  ],
  [
    ['pause', 'sub_1', '--behavior', 'void', '--resumes-at', '2033-05-18T03:33:20'],
    'POST /v1/subscriptions/sub_1 {"pause_collection":{"behavior":"void","resumes_at":2000000000}}',
  ],
  [
    ['pause', 'sub_1', '--behavior', 'keep_as_draft', '-d', 'description=Rent'],
    'POST /v1/subscriptions/sub_1 {"description":"Rent","pause_collection":{"behavior":"keep_as_draft"}}',
  ],
  [
    ['update', 'sub_1', '--trial-end', '2033-05-18T03:33:20'],
    'POST /v1/subscriptions/sub_1 {"trial_end":2000000000}',
  ],
  [['update', 'sub_1', '--trial-end', 'now'], 'POST /v1/subscriptions/sub_1 {"trial_end":"now"}'],
  [
    ['resume', 'sub_1'],
    'GET /v1/subscriptions/sub_1 , POST /v1/subscriptions/sub_1 {"pause_collection":null}',
  ],
  [
    ['resume', 'sub_paused'],
    'GET /v1/subscriptions/sub_paused , POST /v1/subscriptions/sub_paused/resume {}',
  ],
  [['cancel', 'sub_1'], 'POST /v1/subscriptions/sub_1/cancel {}'],
  [
    ['cancel', 'sub_1', '--prorate', '--invoice-now'],
    'POST /v1/subscriptions/sub_1/cancel {"prorate":true,"invoice_now":true}',
  ],
  [
    ['update', 'sub_1', '--item', 'si_1:quantity=3', '--item', 'Seat:1500', '--proration-behavior', 'none'],
    'POST /v1/subscriptions/sub_1 {"proration_behavior":"none","items":[{"id":"si_1","quantity":3},{"description":"Seat","price_data":{"amount":1500}}]}',
  ],
  [
    ['preview', 'sub_1', '--interval', 'year', '--proration-date', '2000000000'],
    'POST /v1/subscriptions/sub_1/preview {"interval":"year","proration_date":2000000000}',
  ],
]

for (const [args, request] of CALLS) {
  test(`paycli subscriptions ${args.join(' ')} sends ${request}`, async () => {
    const ended = await runCommand(['subscriptions', ...args, '--field', 'id'], {
      PAYCLI_API_BASE: server.url,
      PAYCLI_API_KEY: 'k',
    })
    assert.equal([ended.code, ended.stdout, ended.stderr], [0, 'sub_1\n', ''])
    const seen = server.seen.map(({ method, url, body }) => `${method} ${url} ${body}`)
    assert.is(seen.join(', '), request)
  })
}

test('paycli subscriptions cancel warns about the pending items that it deleted, and says how to bill them', async () => {
  const api = await startFakeServer(({ url }) => {
    const cause = { request: { id: 'req_2', idempotency_key: null } }
    const item = { object: 'invoice_item', subscription: 'sub_1', customer: 'cus_1', currency: 'eur' }
    const deleted = (total: number, request = cause) => ({
      ...{ type: 'invoice_item.deleted', ...request },
      data: { object: { ...item, id: 'ii_1', total } },
    })
    const earlier = { request: { id: 'req_1', idempotency_key: null } }
    const subscription = { id: 'sub_1', object: 'subscription', status: 'canceled' }
    const canceled = { type: 'subscription.canceled', ...cause, data: { object: subscription } }
    const data = [deleted(2500), deleted(-500), canceled, deleted(700, earlier)]
    return { body: url.includes('/events') ? { object: 'list', data, has_more: false } : subscription }
  })
  try {
    const cancel = (...flags: string[]) =>
      runCommand(['subscriptions', 'cancel', 'sub_1', '--field', 'id', ...flags], {
        PAYCLI_API_BASE: api.url,
        PAYCLI_API_KEY: 'k',
      })
    const dropped = await cancel()
    assert.is(dropped.stdout, 'sub_1\n')
    assert.is(
      dropped.stderr,
      'Warning: 2 pending invoice items were deleted and not billed: 20.00 EUR in all. Charge them with: paycli payments create --customer cus_1 --amount 2000 --currency eur. To bill pending items when you cancel, use --invoice-now.\n',
    )
    assert.is((await cancel('--invoice-now')).stderr, '')
  } finally {
    await api.stop()
  }
})

test.run()
