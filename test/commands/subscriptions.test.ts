import { assert, suite } from '../support/suite.ts'
import { openFakeApi } from './fake-api.ts'

const test = suite('commands/subscriptions')

const api = openFakeApi(test, ({ url }) => {
  if (url.includes('/events')) return { body: eventsOfCancellation() }
  const [, id = ''] = /(sub_\w+)/.exec(url) ?? []
  const status = { sub_paused: 'paused', sub_canceled: 'canceled' }[id] ?? 'active'
  return { body: { id: 'sub_1', object: 'subscription', status } }
})

/** Returns events of a cancellation that deleted pending items, after an item was deleted by another request. */
function eventsOfCancellation(): object {
  const item = { object: 'invoice_item', subscription: 'sub_1', customer: 'cus_1', currency: 'eur' }
  const deleted = (total: number, id = 'req_2') => ({
    ...{ type: 'invoice_item.deleted', request: { id, idempotency_key: null } },
    data: { object: { ...item, id: 'ii_1', total } },
  })
  const canceled = {
    ...{ type: 'subscription.canceled', request: { id: 'req_2', idempotency_key: null } },
    data: { object: { id: 'sub_1', object: 'subscription', status: 'canceled' } },
  }
  const data = [deleted(2500), deleted(-500), canceled, deleted(700, 'req_1')]
  return { object: 'list', data, has_more: false }
}

api.testCalls([
  [
    'subscriptions update sub_1 --cancel-at-period-end --description Rent',
    'POST /v1/subscriptions/sub_1 {"description":"Rent","cancel_at_period_end":true}',
  ],
  [
    'subscriptions update sub_1 --no-cancel-at-period-end --default-payment-method= --metadata a=1',
    'POST /v1/subscriptions/sub_1 {"metadata":{"a":"1"},"default_payment_method":null,"cancel_at_period_end":false}',
  ],
  [
    'subscriptions pause sub_1 --behavior void --resumes-at 2033-05-18T03:33:20',
    'POST /v1/subscriptions/sub_1 {"pause_collection":{"behavior":"void","resumes_at":2000000000}}',
  ],
  [
    'subscriptions pause sub_1 --behavior keep_as_draft -d description=Rent',
    'POST /v1/subscriptions/sub_1 {"description":"Rent","pause_collection":{"behavior":"keep_as_draft"}}',
  ],
  [
    'subscriptions update sub_1 --trial-end 2033-05-18T03:33:20',
    'POST /v1/subscriptions/sub_1 {"trial_end":2000000000}',
  ],
  ['subscriptions update sub_1 --trial-end now', 'POST /v1/subscriptions/sub_1 {"trial_end":"now"}'],
  [
    'subscriptions resume sub_1',
    'GET /v1/subscriptions/sub_1',
    'POST /v1/subscriptions/sub_1 {"pause_collection":null}',
  ],
  [
    'subscriptions resume sub_paused',
    'GET /v1/subscriptions/sub_paused',
    'POST /v1/subscriptions/sub_paused/resume {}',
  ],
  ['subscriptions cancel sub_1', 'POST /v1/subscriptions/sub_1/cancel {}'],
  [
    'subscriptions cancel sub_canceled --prorate --invoice-now',
    'POST /v1/subscriptions/sub_canceled/cancel {"prorate":true,"invoice_now":true}',
  ],
  [
    'subscriptions update sub_1 --item si_1:quantity=3 --item Seat:1500 --proration-behavior none',
    'POST /v1/subscriptions/sub_1 {"proration_behavior":"none","items":[{"id":"si_1","quantity":3},{"description":"Seat","price_data":{"amount":1500}}]}',
  ],
  [
    'subscriptions preview sub_1 --interval year --proration-date 2000000000',
    'POST /v1/subscriptions/sub_1/preview {"interval":"year","proration_date":2000000000}',
  ],
])

test('cancel warns about deleted pending items, and shows how to bill them', async () => {
  const { stdout, stderr } = await api.run('subscriptions', 'cancel', 'sub_canceled', '--field', 'id')
  assert.is(stdout, 'sub_1\n')
  assert.is(
    stderr,
    'Warning: 2 pending invoice items were deleted and not billed: 20.00 EUR in all. Charge them with: paycli payments create --customer cus_1 --amount 2000 --currency eur. To bill pending items when you cancel, use --invoice-now.\n',
  )
})

test.run()
