import {
  createCustomer,
  isDeletedCustomer,
  markCustomerDeleted,
  replaceCustomer,
  requireCustomer,
  updateCustomer,
} from '../../../src/domain/payments/customers.ts'
import { catchDomainError } from '../../support/catch-domain-error.ts'
import { aCustomer } from '../../support/domain-samples.ts'
import { createRuleContext, START } from '../../support/rule-context.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/payments/customers')

test('creates a customer with null for omitted fields', () => {
  const { event, before, after } = createCustomer({ email: 'a@b' }, createRuleContext())
  assert.equal([event, before], ['customer.created', null])
  assert.equal(after, {
    id: 'cus_Test00000000000000000001',
    object: 'customer',
    created: START,
    livemode: false,
    email: 'a@b',
    name: null,
    phone: null,
    description: null,
    default_payment_method: null,
    balances: {},
    metadata: {},
    test_clock: null,
  })
})

/** update fields, changed fields */
const UPDATES: readonly (readonly [fields: object, changed: object])[] = [
  [{}, {}],
  [{ email: 'c@d' }, { email: 'c@d' }],
  [{ name: null }, { name: null }],
  [
    { name: 'Countess', phone: '1' },
    { name: 'Countess', phone: '1' },
  ],
  [
    { description: 'x', default_payment_method: 'pm_1' },
    { description: 'x', default_payment_method: 'pm_1' },
  ],
  [{ default_payment_method: null }, {}],
  [{ metadata: { a: 'b' } }, { metadata: { a: 'b' } }],
  [{ metadata: null }, {}],
]

for (const [fields, changed] of UPDATES) {
  test(`updating a customer with ${JSON.stringify(fields)} changes ${JSON.stringify(changed)}`, () => {
    const customer = aCustomer(createRuleContext())
    const after = updateCustomer(customer, fields)
    assert.equal(after, { ...customer, ...changed })
    assert.is(replaceCustomer(customer, after).length, Object.keys(changed).length === 0 ? 0 : 1)
  })
}

test('an update returns a new customer and does not mutate the old one', () => {
  const customer = aCustomer(createRuleContext())
  const copy = structuredClone(customer)
  updateCustomer(customer, { name: null, metadata: { a: 'b' } })
  assert.equal(customer, copy)
})

test('deleting a customer leaves a stub with id, object and deleted', () => {
  const customer = aCustomer(createRuleContext())
  const { event, before, after } = markCustomerDeleted(customer)
  assert.equal([event, before], ['customer.deleted', customer])
  assert.equal(after, { id: customer.id, object: 'customer', deleted: true })
  assert.ok(isDeletedCustomer(after))
  assert.not(isDeletedCustomer(customer))
})

test('requireCustomer throws resource_missing for a missing or deleted customer', async () => {
  const customer = aCustomer(createRuleContext())
  assert.is(requireCustomer(customer, customer.id), customer)
  const missing = await catchDomainError(() => requireCustomer(null, 'cus_1'))
  assert.equal([missing.code, missing.param], ['resource_missing', 'customer'])
  assert.match(missing.message, /No such customer: 'cus_1'\. Create one first with POST \/v1\/customers/)
  const deleted = await catchDomainError(() =>
    requireCustomer(markCustomerDeleted(customer).after, customer.id),
  )
  assert.equal([deleted.code, deleted.param], ['resource_missing', 'customer'])
  assert.match(deleted.message, /was deleted\. Create a new customer/)
})

test.run()
