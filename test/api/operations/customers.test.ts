import { api } from '../../../src/api/api.ts'
import { testDomainErrors } from '../../support/domain-errors.ts'
import { CARDS, liveCustomer, newCheckout, newCustomer, newPaymentSession } from '../../support/samples.ts'
import { catchDomainError, createSandbox, type Sandbox, START, typed } from '../../support/sandbox.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('api/customers')

const COMMON = `
  email = " ada@example.com"            email_invalid
  email = "ada@example..com"            email_invalid
  email = email(255)                    email_invalid
  name = ""                             parameter_invalid_string
  name = text(257)                      parameter_invalid_string
  name = "a\\u0085b"                    parameter_invalid_string
  phone = text(21)                      parameter_invalid_string
  phone = 44123                         parameter_invalid_type
  description = text(5001)              parameter_invalid_string
  metadata = keys(51)                   metadata_invalid
  metadata = {"a]":"b"}                 metadata_invalid
  metadata = ["a"]                      parameter_invalid_type
  metadata = {"a":{"b":"c"}}            metadata_invalid
  metadata = 3                          parameter_invalid_type
  e_mail = "ada@example.com"            parameter_unknown     try email
  id = "cus_1"                          parameter_unknown
`

testDomainErrors(test, {
  operation: api.customers.create,
  prepare: async () => ({ body: { email: 'ada@example.com' } }),
  table: `
  no email                              parameter_missing
  email = null                          parameter_missing
  default_payment_method = "pm_1"       parameter_unknown
  metadata = ""                         parameter_invalid_type
  ${COMMON.trim()}
  `,
})

testDomainErrors(test, {
  operation: api.customers.update,
  prepare: async (sandbox) => ({ id: (await newCustomer(sandbox)).id, body: {} }),
  table: `
  email = null                          parameter_invalid_type
  default_payment_method = ""           parameter_invalid_string
  default_payment_method = "pm_nobody"  resource_missing
  metadata = "none"                     metadata_invalid
  ${COMMON.trim()}
  `,
})

test('accepts every email address that a browser accepts, unchanged', async () => {
  const sandbox = createSandbox()
  for (const email of [
    'A.d+a@Example.COM',
    "o'hara@localhost",
    `${'x'.repeat(242)}@example.com`,
    '1@2',
    `ada@${'x'.repeat(63)}.com`,
  ]) {
    assert.is((await newCustomer(sandbox, email)).email, email)
  }
})

test('allows equal email addresses and lists customers by address', async () => {
  const sandbox = createSandbox()
  const [first, second] = [await newCustomer(sandbox), await newCustomer(sandbox)]
  await newCustomer(sandbox, 'bob@example.org')
  const { data } = await sandbox.call(api.customers.list, { email: 'ada@example.com' })
  assert.equal(data, [second, first])
})

test('creates a customer with null parameters as if they were absent', async () => {
  const sandbox = createSandbox()
  const created = await sandbox.send(api.customers.create, {
    body: { email: 'ada@example.com', name: null, metadata: { a: 'b', c: null } },
  })
  assert.equal(created, {
    id: (created as { id: string }).id,
    object: 'customer',
    created: START,
    livemode: false,
    email: 'ada@example.com',
    name: null,
    phone: null,
    description: null,
    default_payment_method: null,
    balances: {},
    metadata: { a: 'b' },
    test_clock: null,
  })
})

test('an update changes the sent fields of a customer, unsets null fields and does not change other fields', async () => {
  const sandbox = createSandbox()
  const { id } = await sandbox.call(api.customers.create, {
    email: 'ada@example.com',
    name: 'Ada',
    phone: '1',
    metadata: { a: '1', b: '2' },
  })
  const updated = await sandbox.send(api.customers.update, {
    id,
    body: { name: null, description: 'new', metadata: { a: '', b: '3', c: '4' } },
  })
  assert.equal(updated, { ...(await liveCustomer(sandbox, id)), name: null, phone: '1', description: 'new' })
  assert.equal((await liveCustomer(sandbox, id)).metadata, { b: '3', c: '4' })
  const [, event] = await sandbox.events()
  assert.is(event?.type, 'customer.updated')
  assert.equal(event?.data.previous_attributes, {
    name: 'Ada',
    description: null,
    metadata: { a: '1', b: '2' },
  })
})

test('an update without changes emits no event', async () => {
  const sandbox = createSandbox()
  const { id } = await sandbox.call(api.customers.create, { email: 'ada@example.com', metadata: { a: '1' } })
  for (const body of [{}, { email: 'ada@example.com' }, { metadata: { a: '1', b: '' } }, { name: null }]) {
    await sandbox.send(api.customers.update, { id, body })
  }
  assert.is((await sandbox.events()).length, 1)
})

test('rejects more than 50 metadata keys after merging', async () => {
  const sandbox = createSandbox()
  const { id } = await newCustomer(sandbox)
  const keys = (count: number, letter: string) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`${letter}${at}`, 'v']))
  await sandbox.call(api.customers.update, { id, metadata: keys(50, 'a') })
  const { code, param, message } = await catchDomainError(
    sandbox.call(api.customers.update, { id, metadata: keys(1, 'b') }),
  )
  assert.equal([code, param], ['metadata_invalid', 'metadata'])
  assert.match(message, /51 after merging, and the limit is 50/)
  await sandbox.call(api.customers.update, { id, metadata: { ...keys(1, 'b'), a0: null } })
})

async function createCustomerWithCard(sandbox: Sandbox): Promise<{ customer: string; card: string }> {
  const { id, customer } = await newCheckout(sandbox)
  await sandbox.submit(id, typed(CARDS.visa))
  const { data } = await sandbox.call(api.paymentMethods.listOfCustomer, { id: customer })
  return { customer, card: data[0]?.id ?? '' }
}

test('sets and unsets the default card, and rejects the card of another customer', async () => {
  const sandbox = createSandbox()
  const [mine, other] = [await createCustomerWithCard(sandbox), await createCustomerWithCard(sandbox)]
  assert.is((await liveCustomer(sandbox, mine.customer)).default_payment_method, mine.card)
  const update = (default_payment_method: string | null) =>
    sandbox.call(api.customers.update, { id: mine.customer, default_payment_method })
  assert.is((await update(null)).default_payment_method, null)
  assert.is((await update(mine.card)).default_payment_method, mine.card)
  const { code, param, message } = await catchDomainError(update(other.card))
  assert.equal([code, param], ['payment_method_unexpected_customer', 'default_payment_method'])
  assert.match(message, new RegExp(`'${other.card}' does not belong to customer '${mine.customer}'`))
})

test('a deleted customer can be retrieved, but not listed, updated or deleted', async () => {
  const sandbox = createSandbox()
  const { customer: id } = await createCustomerWithCard(sandbox)
  await newPaymentSession(sandbox, { customer: id })
  const stub = { id, object: 'customer', deleted: true }
  assert.equal(await sandbox.call(api.customers.delete, { id }), stub)
  assert.equal(await sandbox.call(api.customers.retrieve, { id }), stub)
  assert.equal((await sandbox.call(api.customers.list, {})).data, [])
  const update = await catchDomainError(sandbox.call(api.customers.update, { id, name: 'x' }))
  assert.equal([update.code, update.param], ['customer_deleted', null])
  const again = await catchDomainError(sandbox.call(api.customers.delete, { id }))
  assert.equal([again.code, again.param], ['resource_missing', 'id'])
  const cards = await sandbox.call(api.paymentMethods.listOfCustomer, { id })
  assert.equal(cards.data, [])
})

test('returns 404 for an unknown customer', async () => {
  const sandbox = createSandbox()
  for (const operation of [
    api.customers.retrieve,
    api.customers.update,
    api.customers.delete,
    api.paymentMethods.listOfCustomer,
  ]) {
    const { code, param } = await catchDomainError(sandbox.send(operation, { id: 'cus_nobody' }))
    assert.equal([code, param], ['resource_missing', 'id'])
  }
})

test.run()
