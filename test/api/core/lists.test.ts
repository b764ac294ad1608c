import { api } from '../../../src/api/api.ts'
import { CARDS, newCheckout, newCustomer, newPaymentSession } from '../../support/samples.ts'
import { catchDomainError, createSandbox, DAY, type Sandbox, START, typed } from '../../support/sandbox.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('api/lists')

/** Columns: query of `customers.list`, error code, param, suggestion. */
const INVALID_QUERIES = `
  limit=0                             parameter_invalid_integer  limit
  limit=101                           parameter_invalid_integer  limit
  limit=ten                           parameter_invalid_integer  limit
  limit=                              parameter_invalid_integer  limit
  limit=%2B5                          parameter_invalid_integer  limit
  limit[gte]=5                        parameter_unknown          limit[gte]
  starting_after=                     parameter_invalid_string   starting_after
  starting_after=cus_nobody           resource_missing           starting_after
  ending_before=cus_nobody            resource_missing           ending_before
  starting_after=cus_a&ending_before=cus_b  parameters_exclusive  ending_before
  email=ada                           email_invalid              email
  created=yesterday                   parameter_invalid_integer  created
  created=-1                          parameter_invalid_integer  created[gte]
  created[gte]=now                    parameter_invalid_integer  created[gte]
  created[since]=5                    parameter_unknown          created[since]
  customer=cus_1                      parameter_unknown          customer
  emial=ada@example.com               parameter_unknown          emial               email
  startingAfter=cus_1                 parameter_unknown          startingAfter       starting_after
  __proto__=1                         parameter_unknown          __proto__
  __proto__[limit]=1                  parameter_unknown          __proto__[limit]
  constructor[prototype]=1            parameter_unknown          constructor[prototype]
  toString=1                          parameter_unknown          toString
`

for (const line of INVALID_QUERIES.trim().split('\n')) {
  const [search = '', code = '', param = '', suggestion = null] = line.trim().split(/\s+/)
  test(`rejects the query ?${search} with ${code} for ${param}`, async () => {
    const refused = await catchDomainError(createSandbox().send(api.customers.list, { search }))
    assert.equal([refused.code, refused.param, refused.suggestion], [code, param, suggestion])
    assert.match(refused.message, /^[A-Zclse].*[.?]$/s)
  })
}

test('rejects more than 100 query parameters', async () => {
  const search = Array.from({ length: 101 }, (_, at) => `a${at}=1`).join('&')
  const { code, message } = await catchDomainError(createSandbox().send(api.customers.list, { search }))
  assert.is(code, 'parameter_invalid_array')
  assert.is(message, '101 query parameters were given; the maximum is 100.')
})

async function customersAt(sandbox: Sandbox, ...offsets: number[]): Promise<string[]> {
  const ids: string[] = []
  for (const offset of offsets) {
    await sandbox.moveTo(START + offset)
    ids.push((await newCustomer(sandbox)).id)
  }
  return ids
}

const idsOf = ({ data }: { readonly data: readonly { readonly id: string }[] }) => data.map(({ id }) => id)

test('a list request returns the newest 10 objects and has_more', async () => {
  const sandbox = createSandbox()
  const ids = await customersAt(sandbox, 0, 0, 0, 1, 1, 2, 2, 2, 3, 4, 4)
  const page = await sandbox.call(api.customers.list, {})
  assert.equal([page.object, page.url, page.has_more], ['list', '/v1/customers', true])
  assert.equal(idsOf(page), ids.slice(1).reverse())
  const rest = await sandbox.call(api.customers.list, { starting_after: ids[1] ?? '' })
  assert.equal([idsOf(rest), rest.has_more], [ids.slice(0, 1), false])
})

test('lists a newer object before older objects on a test clock in the future', async () => {
  const sandbox = createSandbox()
  const clock = await sandbox.call(api.testClocks.create, { frozen_time: START + 3650 * DAY })
  const onClock: string[] = []
  for (let count = 0; count < 10; count += 1) {
    const fields = { email: 'ada@example.com', test_clock: clock.id }
    onClock.push((await sandbox.call(api.customers.create, fields)).id)
  }
  const newest = await newCustomer(sandbox)
  const page = await sandbox.call(api.customers.list, {})
  assert.equal([idsOf(page), page.has_more], [[newest.id, ...onClock.slice(1).reverse()], true])
  const filtered = await sandbox.call(api.customers.list, { test_clock: clock.id })
  assert.equal(idsOf(filtered), onClock.toReversed())
  const now = await sandbox.call(api.customers.list, { created: { lt: START + 365 * DAY } })
  assert.equal(idsOf(now), [newest.id])
})

test('a list request with a cursor returns the page before or after its object, newest first', async () => {
  const sandbox = createSandbox()
  const [a = '', b = '', c = '', d = '', e = ''] = await customersAt(sandbox, 0, 0, 0, 0, 0)
  const list = (params: object) => sandbox.call(api.customers.list, { limit: 2, ...params })
  const after = await list({ starting_after: d })
  assert.equal([idsOf(after), after.has_more], [[c, b], true])
  const before = await list({ ending_before: b })
  assert.equal([idsOf(before), before.has_more], [[d, c], true])
  const newest = await list({ ending_before: d })
  assert.equal([idsOf(newest), newest.has_more], [[e], false])
  const none = await list({ starting_after: a })
  assert.equal([idsOf(none), none.has_more], [[], false])
})

test('rejects a cursor of another object type or of a deleted object', async () => {
  const sandbox = createSandbox()
  const { id: session, customer } = await newPaymentSession(sandbox)
  const list = (starting_after: string) => sandbox.call(api.customers.list, { starting_after })
  assert.is((await catchDomainError(list(session))).code, 'resource_missing')
  assert.equal(idsOf(await list(customer)), [])
  await sandbox.call(api.customers.delete, { id: customer })
  const { code, message } = await catchDomainError(list(customer))
  assert.is(code, 'resource_missing')
  assert.is(
    message,
    `No such object in this list: '${customer}'. Use the id of an object from an earlier page.`,
  )
})

/** Columns: bounds of `created`, and the matching customers of those created at seconds 0 to 4. */
const RANGES = `
  created=START+2                              2
  created[gt]=START+2                          4 3
  created[gte]=START+2                         4 3 2
  created[lt]=START+2                          1 0
  created[lte]=START+2                         2 1 0
  created[gt]=START+0&created[lt]=START+4      3 2 1
  created[gte]=START+3&created[lte]=START+1    -
  created[gte]=0                               4 3 2 1 0
`

for (const line of RANGES.trim().split('\n')) {
  const [search = '', ...seconds] = line.trim().split(/\s+/)
  test(`the query ?${search} returns ${seconds[0] === '-' ? 'no customers' : `the customers created at second ${seconds.join(', ')}`}`, async () => {
    const sandbox = createSandbox()
    const ids = await customersAt(sandbox, 0, 1, 2, 3, 4)
    const query = search.replaceAll(/START\+(\d)/g, (_, offset) => String(START + Number(offset)))
    const page = (await sandbox.send(api.customers.list, { search: query })) as { data: { id: string }[] }
    const wanted = seconds.flatMap((second) => (second === '-' ? [] : [ids[Number(second)]]))
    assert.equal(idsOf(page), wanted)
  })
}

test('a list request can combine a time range, filters and a cursor', async () => {
  const sandbox = createSandbox()
  const ids = await customersAt(sandbox, 0, 1, 2, 3, 4)
  await newCustomer(sandbox, 'bob@example.org')
  const page = await sandbox.call(api.customers.list, {
    email: 'ada@example.com',
    created: { gt: START, lt: START + 4 },
    starting_after: ids[3] ?? '',
    limit: 1,
  })
  assert.equal([idsOf(page), page.has_more], [[ids[2]], true])
})

test('a list request can filter each resource by its own fields', async () => {
  const sandbox = createSandbox()
  const { id, customer } = await newCheckout(sandbox)
  await sandbox.submit(id, typed(CARDS.visa))
  const sent = await newCheckout(
    sandbox,
    { collection_method: 'send_invoice', days_until_due: 3 },
    { customer },
  )
  await sandbox.submit(sent.id, {})
  const done = await sandbox.call(api.checkoutSessions.retrieve, { id })
  const [subscription = '', invoice = '', payment = ''] = [done.subscription, done.invoice, done.payment].map(
    (made) => made ?? '',
  )
  const { call } = sandbox
  assert.equal(idsOf(await call(api.checkoutSessions.list, { subscription })), [id])
  assert.equal(idsOf(await call(api.subscriptions.list, { collection_method: 'charge_automatically' })), [
    subscription,
  ])
  assert.equal(idsOf(await call(api.subscriptions.list, { customer, status: 'canceled' })), [])
  assert.equal(idsOf(await call(api.subscriptions.list, { current_period_end: { gt: START } })).length, 2)
  assert.equal(
    idsOf(await call(api.subscriptions.list, { current_period_end: { gt: START + 40 * DAY } })),
    [],
  )
  assert.equal(idsOf(await call(api.invoices.list, { subscription })), [invoice])
  assert.equal(idsOf(await call(api.invoices.list, { status: 'open', customer })).length, 1)
  assert.equal(idsOf(await call(api.invoices.list, { due_date: { lte: START + 3 * DAY } })).length, 1)
  assert.equal(idsOf(await call(api.invoices.list, { due_date: { lt: START + 3 * DAY } })), [])
  assert.equal(idsOf(await call(api.payments.list, { invoice })), [payment])
  assert.equal(idsOf(await call(api.payments.list, { checkout_session: id, status: 'succeeded' })), [payment])
  assert.equal(idsOf(await call(api.payments.list, { customer, status: 'failed' })), [])
})

test('lists the cards of a customer in pages', async () => {
  const sandbox = createSandbox()
  const { id: first, customer } = await newCheckout(sandbox)
  const { id: second } = await newCheckout(sandbox, {}, { customer })
  for (const session of [first, second]) await sandbox.submit(session, typed(CARDS.visa))
  const page = await sandbox.call(api.paymentMethods.listOfCustomer, { id: customer, limit: 1 })
  assert.equal([page.url, page.has_more], [`/v1/customers/${customer}/payment_methods`, true])
  const [newest = ''] = idsOf(page)
  const rest = await sandbox.call(api.paymentMethods.listOfCustomer, { id: customer, starting_after: newest })
  assert.is(idsOf(rest).length, 1)
  const both = { id: customer, starting_after: newest, ending_before: newest }
  assert.is(
    (await catchDomainError(sandbox.call(api.paymentMethods.listOfCustomer, both))).code,
    'parameters_exclusive',
  )
})

test('ends a page after 512 KiB with has_more, so that paging in either direction returns every object once', async () => {
  const sandbox = createSandbox()
  const metadata = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`key_${at}`, 'x'.repeat(500)]))
  const ids: string[] = []
  for (let count = 0; count < 45; count += 1)
    ids.unshift((await sandbox.call(api.customers.create, { email: 'ada@example.com', metadata })).id)
  const list = async (params: object) => {
    const { data, has_more } = await sandbox.call(api.customers.list, { limit: 100, ...params })
    assert.ok(JSON.stringify(data).length <= 560_000)
    return { found: data.map(({ id }) => id), has_more }
  }
  const first = await list({})
  const second = await list({ starting_after: first.found.at(-1) ?? '' })
  const third = await list({ starting_after: second.found.at(-1) ?? '' })
  assert.equal([first.has_more, second.has_more, third.has_more], [true, true, false])
  assert.equal([...first.found, ...second.found, ...third.found], ids)
  const before = await list({ ending_before: ids.at(-1) ?? '' })
  assert.is(before.has_more, true)
  assert.equal(before.found, ids.slice(-1 - before.found.length, -1))
})

test.run()
