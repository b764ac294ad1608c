import { execute } from '../../../src/api/core/execute.ts'
import type { AnyOperation } from '../../../src/api/core/operation.ts'
import { api, operations } from '../../../src/api/index.ts'
import { newCustomer } from '../../support/samples.ts'
import { createSandbox, refusal } from '../../support/sandbox.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('api/execute')

function nested(depth: number): unknown {
  let value: unknown = 'deep'
  for (let level = 1; level < depth; level += 1) value = { a: value }
  return value
}

const create = (body: unknown) => createSandbox().send(api.customers.create, { body })

test('a body nested 32 levels deep is read, and one of 33 is not', async () => {
  const taken = await refusal(create({ email: 'ada@example.com', metadata: nested(32) }))
  assert.is(taken.code, 'metadata_invalid')
  const { code, message } = await refusal(create({ email: 'ada@example.com', metadata: nested(33) }))
  assert.equal([code, message], ['invalid_json', 'The body is nested deeper than 32 levels.'])
})

test('lists count as levels too', async () => {
  let value: unknown = []
  for (let level = 1; level < 32; level += 1) value = [value]
  assert.is((await refusal(create({ email: 'a@b', metadata: value }))).code, 'invalid_json')
})

test('a body of absurd depth or width is refused before anything recurses into it', async () => {
  let deep: unknown = 1
  for (let level = 0; level < 50_000; level += 1) deep = [deep]
  assert.is((await refusal(create({ deep }))).code, 'invalid_json')
  const wide = Object.fromEntries(Array.from({ length: 2_001 }, (_, at) => [`k${at}`, 1]))
  const { code, message } = await refusal(create(wide))
  assert.equal([code, message], ['invalid_json', 'The body has more than 2000 values. Send less.'])
})

test('of a thousand problems a hundred are told, and long names are cut', async () => {
  const many = Object.fromEntries(Array.from({ length: 1500 }, (_, at) => [`k${at}`, 1]))
  const { errors } = await refusal(create(many))
  assert.is(errors.length, 100)
  const { param, message } = await refusal(create({ email: 'a@b', ['x'.repeat(100_000)]: 1 }))
  assert.is(param, `${'x'.repeat(80)}…`)
  assert.ok(message.length < 200)
})

for (const key of ['__proto__', 'constructor', 'prototype']) {
  test(`the key ${key} is refused at any depth`, async () => {
    for (const text of [
      `{"email":"a@b","${key}":{"name":"x"}}`,
      `{"email":"a@b","metadata":{"${key}":"x"}}`,
      `{"email":"a@b","metadata":{"a":[{"${key}":1}]}}`,
    ]) {
      const { code, message } = await refusal(create(JSON.parse(text)))
      assert.equal([code, message], ['invalid_json', `The key '${key}' is not allowed in a body.`])
    }
    assert.is(({} as { name?: string }).name, undefined)
  })
}

for (const body of [null, 'text', 7, true, [], [{ email: 'a@b' }]]) {
  test(`the body ${JSON.stringify(body)} is not one JSON object`, async () => {
    const { code, message } = await refusal(create(body))
    assert.is(code, 'invalid_json')
    assert.match(message, /must be one JSON object, such as \{"email":"ada@example\.com"\}/)
  })
}

test('no body is the same as an empty one', async () => {
  assert.is((await refusal(create(undefined))).code, 'parameter_missing')
})

test('null means absent on create, at any depth but in lists', async () => {
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
  const refused = await refusal(
    sandbox.send(api.checkoutSessions.create, {
      body: { currency: 'eur', customer, subscription_data: { interval: 'day', items } },
    }),
  )
  assert.equal([refused.code, refused.param], ['parameter_invalid_type', 'subscription_data[items][0]'])
})

test('a POST takes nothing from its query', async () => {
  const { code, param, message } = await refusal(
    createSandbox().send(api.customers.create, { search: 'email=ada@example.com', body: {} }),
  )
  assert.equal([code, param], ['parameter_unknown', 'email'])
  assert.is(message, 'Unknown query parameter: email. A POST takes its parameters in the JSON body.')
})

test('where unknown parameters are ignored they are named, at any depth, and the rest is checked as ever', async () => {
  const { runtime } = createSandbox()
  const ignored: string[] = []
  const call = (operation: object, given: { id?: string; search?: string; body?: unknown }) =>
    execute(runtime, {
      ...{ id: undefined, search: '', body: undefined, ...given },
      operation: operation as AnyOperation,
      requestId: 'req_1',
      onIgnored: (params) => ignored.push(...params),
    })
  const price_data = { amount: 5, vat: 1 }
  const items = [{ description: 'x', price_data, 'a/b~c': 1 }]
  const body = {
    currency: 'eur',
    customer: 'cus_none',
    subscription_data: { interval: 'day', items },
    colour: 1,
  }
  const refused = await refusal(call(api.checkoutSessions.create, { body, search: 'now=1' }))
  assert.is(refused.code, 'resource_missing')
  assert.equal(ignored.splice(0).sort(), [
    'colour',
    'now',
    'subscription_data[items][0][a/b~c]',
    'subscription_data[items][0][price_data][vat]',
  ])
  assert.equal(body.subscription_data.items, items)
  const wrong = await refusal(call(api.customers.create, { body: { email: 7, emial: 'a@b.co' } }))
  assert.equal([wrong.code, wrong.errors.length, ignored.splice(0)], ['parameter_invalid_type', 1, ['emial']])
  const { id } = (await call(api.customers.create, { body: { email: 'a@b.co' } })) as { id: string }
  await call(api.customers.update, { id, body: { id: 'cus_other', name: 'Ada' } })
  await call(api.customers.list, { search: 'colour=1&limit=3' })
  assert.equal(ignored.splice(0), ['id', 'colour'])
})

test('an id of the path is given once', async () => {
  const sandbox = createSandbox()
  const { id } = await newCustomer(sandbox)
  for (const request of [
    { id, body: { id } },
    { id, body: { id: 'cus_other' } },
  ]) {
    assert.is((await refusal(sandbox.send(api.customers.update, request))).param, 'id')
  }
  assert.is((await refusal(sandbox.send(api.customers.retrieve, { id, search: `id=${id}` }))).param, 'id')
})

test('an operation without parameters names none', async () => {
  const sandbox = createSandbox()
  const { id } = await newCustomer(sandbox)
  const { message } = await refusal(sandbox.send(api.customers.delete, { id, search: 'now=1' }))
  assert.is(message, 'Unknown parameter: now. None are taken here.')
})

test('what was sent is left as it was', async () => {
  const body = { email: 'ada@example.com', name: null, metadata: { a: 'b', c: null } }
  const before = structuredClone(body)
  await create(body)
  assert.equal(body, before)
})

test('the events of a request name it and its idempotency key', async () => {
  const sandbox = createSandbox()
  await newCustomer(sandbox)
  const [event] = await sandbox.events()
  assert.equal(event?.request, { id: 'req_Test00000000000000000001', idempotency_key: null })
})

test('no refusal repeats a card number, wherever it was put', async () => {
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
      const refused = JSON.stringify(await refusal(sandbox.send(operation, request)))
      assert.not.match(refused.replaceAll(/[ -]/g, ''), /4242424242424|378282246310/)
    }
  }
})

test('every operation says in one sentence what it does, and each is at a place of its own', () => {
  const places = operations.map(({ operation }) => `${operation.method} ${operation.path}`)
  assert.is(new Set(places).size, places.length)
  for (const { name, operation } of operations) {
    assert.match(operation.summary, /^[A-Z].*\.$/, name)
    assert.match(operation.path, /^\/v1\/[a-z_]+(\/[a-z_]+)?(\/:id(\/[a-z_]+)?)?$/, name)
    assert.is(operation.path.includes(':id'), 'id' in operation.params.properties, name)
  }
})

test.run()
