import { api, operations } from '../../../src/api/api.ts'
import { executeRequest } from '../../../src/api/core/execute.ts'
import type { AnyOperation } from '../../../src/api/core/operation.ts'
import type { Customer } from '../../../src/domain/payments/customers.ts'
import { newCustomer } from '../../support/samples.ts'
import { catchDomainError, createSandbox } from '../../support/sandbox.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('api/execute')

function nested(depth: number): unknown {
  let value: unknown = 'deep'
  for (let level = 1; level < depth; level += 1) value = { a: value }
  return value
}

const create = (body: unknown) => createSandbox().send(api.customers.create, { body })

test('accepts a body of 32 levels and rejects a body of 33 levels', async () => {
  const taken = await catchDomainError(create({ email: 'ada@example.com', metadata: nested(32) }))
  assert.is(taken.code, 'metadata_invalid')
  const { code, message } = await catchDomainError(create({ email: 'ada@example.com', metadata: nested(33) }))
  assert.equal([code, message], ['invalid_json', 'The body is nested deeper than 32 levels.'])
})

test('counts a list in the body as a level', async () => {
  let value: unknown = []
  for (let level = 1; level < 32; level += 1) value = [value]
  assert.is((await catchDomainError(create({ email: 'a@b', metadata: value }))).code, 'invalid_json')
})

test('rejects a body of extreme depth or width without recursion', async () => {
  let deep: unknown = 1
  for (let level = 0; level < 50_000; level += 1) deep = [deep]
  assert.is((await catchDomainError(create({ deep }))).code, 'invalid_json')
  const wide = Object.fromEntries(Array.from({ length: 2_001 }, (_, at) => [`k${at}`, 1]))
  const { code, message } = await catchDomainError(create(wide))
  assert.equal([code, message], ['invalid_json', 'The body has more than 2000 values.'])
})

test('reports at most 100 errors and truncates long names', async () => {
  const many = Object.fromEntries(Array.from({ length: 1500 }, (_, at) => [`k${at}`, 1]))
  const { errors } = await catchDomainError(create(many))
  assert.is(errors.length, 100)
  const { param, message } = await catchDomainError(create({ email: 'a@b', ['x'.repeat(100_000)]: 1 }))
  assert.is(param, `${'x'.repeat(80)}…`)
  assert.ok(message.length < 200)
})

test('rejects the key __proto__ in the body at any depth', async () => {
  for (const text of [
    '{"email":"a@b","__proto__":{"name":"x"}}',
    '{"email":"a@b","metadata":{"__proto__":"x"}}',
    '{"email":"a@b","metadata":{"a":[{"__proto__":1}]}}',
  ]) {
    const { code, message } = await catchDomainError(create(JSON.parse(text)))
    assert.equal([code, message], ['invalid_json', "The key '__proto__' is not allowed in a body."])
  }
  assert.is(({} as { name?: string }).name, undefined)
})

test('stores metadata keys that every object inherits, such as toString, and rejects parameters with these names', async () => {
  for (const key of ['constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf']) {
    const { metadata } = (await create({ email: 'a@b', metadata: { [key]: 'x' } })) as Customer
    assert.equal([Object.hasOwn(metadata, key), metadata[key]], [true, 'x'], key)
    const { code, param } = await catchDomainError(create({ email: 'a@b', [key]: { name: 'x' } }))
    assert.equal([code, param], ['parameter_unknown', key])
  }
  assert.is(({} as { name?: string }).name, undefined)
})

test('stores CR LF and CR in strings as LF', async () => {
  const text = 'Ring twice.\r\nSecond floor.\rThanks.'
  const { description, metadata } = (await create({
    email: 'a@b',
    description: text,
    metadata: { note: text },
  })) as Customer
  assert.equal([description, metadata['note']], Array(2).fill('Ring twice.\nSecond floor.\nThanks.'))
})

test('drops empty metadata values on creation', async () => {
  const { metadata } = (await create({ email: 'a@b', metadata: { coupon: '', plan: 'pro' } })) as Customer
  assert.equal(metadata, { plan: 'pro' })
})

for (const body of [null, 'text', 7, true, [], [{ email: 'a@b' }]]) {
  test(`rejects the body ${JSON.stringify(body)}, which is not a JSON object`, async () => {
    const { code, message } = await catchDomainError(create(body))
    assert.is(code, 'invalid_json')
    assert.match(message, /must be one JSON object, such as \{"email":"ada@example\.com"\}/)
  })
}

test('treats a request without a body as an empty object', async () => {
  assert.is((await catchDomainError(create(undefined))).code, 'parameter_missing')
})

test('treats a null parameter as absent on create at any depth, but not in lists', async () => {
  const sandbox = createSandbox()
  const { id: customer } = await newCustomer(sandbox)
  const price_data = { amount: 5, currency: null, tax_percent: null }
  const subscription_data = {
    interval: 'day',
    start_date: null,
    items: [{ description: 'x', type: null, price_data }],
  }
  await sandbox.send(api.checkoutSessions.create, {
    body: { currency: 'eur', customer, description: null, subscription_data, metadata: null },
  })
  const items = [null]
  const refused = await catchDomainError(
    sandbox.send(api.checkoutSessions.create, {
      body: { currency: 'eur', customer, subscription_data: { interval: 'day', items } },
    }),
  )
  assert.equal([refused.code, refused.param], ['parameter_invalid_type', 'subscription_data[items][0]'])
})

test('rejects query parameters of a POST', async () => {
  const { code, param, message } = await catchDomainError(
    createSandbox().send(api.customers.create, { search: 'email=ada@example.com', body: {} }),
  )
  assert.equal([code, param], ['parameter_unknown', 'email'])
  assert.is(message, 'Unknown query parameter: email. Send the parameters of a POST in the JSON body.')
})

test('with onIgnored, ignores unknown parameters at any depth and validates the known parameters', async () => {
  const { runtime } = createSandbox()
  const ignored: string[] = []
  const call = async (operation: AnyOperation, given: { id?: string; search?: string; body?: unknown }) => {
    const { body } = await executeRequest(runtime, {
      ...{ id: undefined, search: '', body: undefined, ...given },
      operation,
      requestId: 'req_1',
      isSecretKey: true,
      onIgnored: (params) => ignored.push(...params),
    })
    return JSON.parse(body)
  }
  const price_data = { amount: 5, vat: 1 }
  const items = [{ description: 'x', price_data, 'a/b~c': 1 }]
  const body = {
    currency: 'eur',
    customer: 'cus_none',
    subscription_data: { interval: 'day', items },
    colour: 1,
  }
  const refused = await catchDomainError(call(api.checkoutSessions.create, { body, search: 'now=1' }))
  assert.is(refused.code, 'resource_missing')
  assert.equal(ignored.splice(0).sort(), [
    'colour',
    'now',
    'subscription_data[items][0][a/b~c]',
    'subscription_data[items][0][price_data][vat]',
  ])
  assert.equal(body.subscription_data.items, items)
  const wrong = await catchDomainError(call(api.customers.create, { body: { email: 7, emial: 'a@b.co' } }))
  assert.equal([wrong.code, wrong.errors.length, ignored.splice(0)], ['parameter_invalid_type', 1, ['emial']])
  const { id } = await call(api.customers.create, { body: { email: 'a@b.co' } })
  await call(api.customers.update, { id, body: { id: 'cus_other', name: 'Ada' } })
  await call(api.customers.list, { search: 'colour=1&limit=3' })
  assert.equal(ignored.splice(0), ['id', 'colour'])
})

test('rejects an id in the body or the query of a request with an id in the path', async () => {
  const sandbox = createSandbox()
  const { id } = await newCustomer(sandbox)
  for (const request of [
    { id, body: { id } },
    { id, body: { id: 'cus_other' } },
  ]) {
    assert.is((await catchDomainError(sandbox.send(api.customers.update, request))).param, 'id')
  }
  assert.is(
    (await catchDomainError(sandbox.send(api.customers.retrieve, { id, search: `id=${id}` }))).param,
    'id',
  )
})

test('the error for an unknown parameter states that the operation has no parameters', async () => {
  const sandbox = createSandbox()
  const { id } = await newCustomer(sandbox)
  const { message } = await catchDomainError(sandbox.send(api.customers.delete, { id, search: 'now=1' }))
  assert.is(message, 'Unknown parameter: now. This operation has no parameters.')
})

test('does not change the body object that the caller sends', async () => {
  const body = { email: 'ada@example.com', name: null, metadata: { a: 'b', c: null } }
  const before = structuredClone(body)
  await create(body)
  assert.equal(body, before)
})

test('no error message contains a card number of the request', async () => {
  const sandbox = createSandbox()
  const { id } = await newCustomer(sandbox)
  const shown = ['4242424242424242', '4242 4242 4242 4242', '3782-822463-10005', 4242424242424241]
  for (const number of shown) {
    const requests = [
      { operation: api.customers.create, body: { email: number } },
      { operation: api.customers.create, body: { email: 'a@b', [String(number)]: 1 } },
      { operation: api.paymentSessions.create, body: { amount: number, currency: String(number) } },
      { operation: api.paymentSessions.complete, id, body: { test_card: number } },
      { operation: api.paymentSessions.complete, id, body: { card: number } },
      { operation: api.paymentSessions.complete, id, body: { card: { number: [number] } } },
      { operation: api.paymentSessions.complete, id, body: { three_d_secure: number } },
      { operation: api.customers.retrieve, id: String(number) },
      { operation: api.customers.list, search: `starting_after=${number}` },
      { operation: api.customers.list, search: `${number}=1` },
    ]
    for (const { operation, ...request } of requests) {
      const refused = JSON.stringify(await catchDomainError(sandbox.send(operation, request)))
      assert.not.match(refused.replaceAll(/[ -]/g, ''), /4242424242424|378282246310/)
    }
  }
})

test('every operation has a summary of one sentence and a unique route', () => {
  const routes = operations.map(({ operation }) => `${operation.method} ${operation.path}`)
  assert.is(new Set(routes).size, routes.length)
  for (const { name, operation } of operations) {
    assert.match(operation.summary, /^[A-Z].*\.$/, name)
    assert.match(operation.path, /^\/v1\/[a-z_]+(\/[a-z_]+)?(\/:id(\/[a-z_]+)?)?$/, name)
    const isNamed = operation.path.includes(':id') || name === 'coupons.create'
    assert.is(isNamed, 'id' in operation.params.properties, name)
  }
})

test.run()
