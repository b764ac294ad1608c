import { listHistoryObjectIds } from '../../../src/dashboard/data/history-scope.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('dashboard/data/history-scope')

test('returns the ids of the object, of its references and of related objects except deliveries, newest first', () => {
  const id = (prefix: string) => `${prefix}_4bT9wNqXz7LrYcVd2PkH8mJs`
  const subscription = {
    ...{ id: id('sub'), object: 'subscription' },
    ...{ customer: id('cus'), checkout_session: id('cks'), default_payment_method: null },
  }
  const invoice = (created: number) => ({ id: `in_${created}`, object: 'invoice', created })
  const delivery = { id: 'whd_1', object: 'webhook_delivery', created: 9 }
  const groups = [
    { title: 'Invoices', objects: [invoice(1), invoice(2)], hasMore: false },
    { title: 'Deliveries', objects: [delivery], hasMore: false },
  ]
  assert.equal(listHistoryObjectIds(subscription, groups), [id('sub'), id('cks'), 'in_2', 'in_1'])
})

test.run()
