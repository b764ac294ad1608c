import { toDeletion } from '../../../src/domain/core/changes.ts'
import { requireCustomer } from '../../../src/domain/payments/customers.ts'
import { catchDomainError } from '../../support/catch-domain-error.ts'
import { aCustomer } from '../../support/domain-samples.ts'
import { createRuleContext } from '../../support/rule-context.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/payments/customers')

test('requireCustomer throws resource_missing for a missing or deleted customer', async () => {
  const customer = aCustomer(createRuleContext())
  assert.is(requireCustomer(customer, customer.id), customer)
  const missing = await catchDomainError(() => requireCustomer(null, 'cus_1'))
  assert.equal([missing.code, missing.param], ['resource_missing', 'customer'])
  assert.match(missing.message, /No such customer: 'cus_1'\. Create one first with POST \/v1\/customers/)
  const deleted = await catchDomainError(() => requireCustomer(toDeletion(customer).after, customer.id))
  assert.equal([deleted.code, deleted.param], ['resource_missing', 'customer'])
  assert.match(deleted.message, /was deleted\. Create a new customer/)
})

test.run()
