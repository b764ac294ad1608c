import { api } from '../../../src/api/api.ts'
import { createTargetGuard } from '../../../src/webhooks/ssrf-guard.ts'
import { advanceClockTo, interruptAdvance, newCustomerOnClock } from '../../support/clocks.ts'
import { errorCodeOf, sendIdempotent } from '../../support/idempotent-requests.ts'
import { newCustomer, newPaymentSession } from '../../support/samples.ts'
import { catchDomainError, createSandbox, DAY, type Sandbox, START } from '../../support/sandbox.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('api/validate-params')

const FIRST_PRICE = 'subscription_data[items][0][price_data]'

/** Returns a valid checkout session, which tests make invalid. */
const checkout = (customer: string) => ({
  currency: 'eur',
  customer,
  subscription_data: {
    interval: 'year',
    items: [{ description: 'Rent', price_data: { amount: 1, currency: 'eur' } }, { description: 'Heat' }],
  } as Record<string, unknown> & { readonly items: Record<string, unknown>[] },
  expires_at: START + DAY,
})

type Body = ReturnType<typeof checkout> & Record<string, unknown>

/** Independent errors of a checkout session in the order of its parameters, from the schema and from the rules. */
const MISTAKES: readonly (readonly [error: string, apply: (body: Body) => void])[] = [
  [
    `amount_too_small ${FIRST_PRICE}[amount]`,
    (body) => Object.assign(Object(body.subscription_data.items[0]?.price_data), { amount: -1 }),
  ],
  [
    `currency_mismatch ${FIRST_PRICE}[currency]`,
    (body) => Object.assign(Object(body.subscription_data.items[0]?.price_data), { currency: 'usd' }),
  ],
  [
    'parameter_missing subscription_data[items][1][price_data]',
    (body) => delete body.subscription_data.items[1]?.price_data,
  ],
  [
    'interval_count_out_of_range subscription_data[interval_count]',
    (body) => Object.assign(body.subscription_data, { interval_count: 4 }),
  ],
  [
    'timestamp_invalid subscription_data[start_date]',
    (body) => Object.assign(body.subscription_data, { start_date: START + 1827 * DAY }),
  ],
  [
    'days_until_due_not_allowed subscription_data[days_until_due]',
    (body) => Object.assign(body.subscription_data, { days_until_due: 3 }),
  ],
  ['parameter_missing description', (body) => delete body.subscription_data.items[1]?.description],
  ['url_invalid return_url', (body) => Object.assign(body, { return_url: 'here' })],
  ['expires_at_out_of_range expires_at', (body) => Object.assign(body, { expires_at: START + 60 })],
]

const errorsOf = async (response: Promise<unknown>) => {
  const { code, param, errors } = await catchDomainError(response)
  assert.equal({ code, param }, { code: errors[0]?.code, param: errors[0]?.param })
  return errors.map((problem) => `${problem.code} ${problem.param}`)
}

test('reports every combination of errors from the schema and the domain rules in order, without duplicates', async () => {
  const sandbox = createSandbox()
  const { id } = await newCustomer(sandbox)
  const before = await sandbox.snapshot()
  for (let chosen = 1; chosen < 2 ** MISTAKES.length; chosen += 1) {
    const mistakes = MISTAKES.filter((_mistake, index) => (chosen >> index) % 2 === 1)
    const body: Body = checkout(id)
    Object.assign(body.subscription_data.items[1] ?? {}, { price_data: { amount: 2 } })
    for (const [, apply] of mistakes) apply(body)
    assert.equal(
      await errorsOf(sandbox.send(api.checkoutSessions.create, { body })),
      mistakes.map(([error]) => error),
    )
  }
  assert.equal(await sandbox.snapshot(), before)
})

const STRICT = { isPublicOnly: true, allowed: [], ownPorts: [] }
const SOON = START + DAY
const MILLISECONDS = START * 1000

/** Columns: operation, request, expected errors. */
const TABLE: readonly (readonly [
  operation: Parameters<Sandbox['send']>[0],
  request: { readonly id?: string; readonly search?: string; readonly body?: object },
  expected: readonly string[],
])[] = [
  [
    api.webhookEndpoints.create,
    { body: { url: 'http://10.0.0.1/', enabled_events: ['nope', 5, 'invoice.*', 'x.*'], metadata: 7 } },
    [
      'webhook_target_blocked url',
      'event_type_unknown enabled_events[0]',
      'parameter_invalid_type enabled_events[1]',
      'event_type_unknown enabled_events[3]',
      'parameter_invalid_type metadata',
    ],
  ],
  [
    api.webhookEndpoints.update,
    { id: 'we_none', body: { url: 'http://10.0.0.1/', enabled_events: ['nope'] } },
    ['webhook_target_blocked url', 'event_type_unknown enabled_events[0]'],
  ],
  [
    api.webhookEndpoints.recover,
    { id: 'we_none', body: { since: 5, until: 4, types: [] } },
    ['timestamp_invalid since', 'timestamp_invalid until', 'parameter_invalid_array types'],
  ],
  [api.apiKeys.create, { body: { expires_at: MILLISECONDS } }, ['timestamp_invalid expires_at']],
  [
    api.apiKeys.create,
    { body: { name: '', expires_at: START } },
    ['parameter_invalid_string name', 'timestamp_invalid expires_at'],
  ],
  [
    api.testClocks.create,
    { body: { frozen_time: MILLISECONDS, name: '' } },
    ['timestamp_invalid frozen_time', 'parameter_invalid_string name'],
  ],
  [
    api.testClocks.advance,
    { id: 'clock_none', body: { frozen_time: MILLISECONDS, by: { interval: 'eon', count: 1 } } },
    ['timestamp_invalid frozen_time', 'parameters_exclusive by', 'parameter_invalid_enum by[interval]'],
  ],
  [
    api.testClocks.advance,
    { id: 'clock_none', body: { speed: 2 } },
    ['parameter_missing frozen_time', 'parameter_unknown speed'],
  ],
  [
    api.invoices.pay,
    { id: 'in_none', body: { payment_method: 'pm_1', paid_out_of_band: true, off_session: 1 } },
    ['parameters_exclusive payment_method', 'parameter_invalid_type off_session'],
  ],
  [
    api.checkoutSessions.complete,
    { id: 'cks_none', body: { card: { number: '1' }, test_card: 'none' } },
    ['parameter_invalid_enum test_card', 'parameters_exclusive test_card'],
  ],
  [
    api.checkoutSessions.complete,
    { id: 'cks_none', body: { card: { number: '1' }, three_d_secure: 'maybe' } },
    ['parameter_invalid_enum three_d_secure'],
  ],
  [
    api.paymentSessions.complete,
    { id: 'py_sess_none', body: { card: { number: '1', exp_year: [], cvc: 1 }, three_d_secure: 'maybe' } },
    [
      'incorrect_number card[number]',
      'invalid_expiry_month card[exp_month]',
      'parameter_invalid_type card[exp_year]',
      'invalid_cvc card[cvc]',
      'parameter_invalid_enum three_d_secure',
    ],
  ],
  [
    api.customers.list,
    { search: 'limit=0&starting_after=cus_1&ending_before=cus_2&created=soon' },
    [
      'parameter_invalid_integer limit',
      'parameters_exclusive ending_before',
      'parameter_invalid_integer created',
    ],
  ],
  [
    api.events.list,
    { search: 'types[first]=x&types[]=y&types[]=customer.created&sequence=z' },
    [
      'parameter_invalid_enum types[0]',
      'parameter_unknown types[first]',
      'parameter_invalid_integer sequence',
    ],
  ],
  [
    api.paymentMethods.listOfCustomer,
    { id: 'cus_none', search: 'limit=x&starting_after=a&ending_before=' },
    [
      'parameter_invalid_integer limit',
      'parameter_invalid_string ending_before',
      'parameters_exclusive ending_before',
    ],
  ],
  [
    api.customers.update,
    { id: 'cus_none', search: 'a=1&b=2&a=3', body: { id: 'cus_1', email: 'no', name: 5 } },
    [
      'parameter_unknown id',
      'email_invalid email',
      'parameter_invalid_type name',
      'parameter_unknown a',
      'parameter_unknown b',
    ],
  ],
]

for (const [operation, request, expected] of TABLE) {
  test(`${operation.method} ${operation.path} with ${JSON.stringify(request)} reports ${expected.length} errors`, async () => {
    const sandbox = createSandbox({ requireAllowedUrl: createTargetGuard(STRICT).requireAllowed })
    assert.equal(await errorsOf(sandbox.send(operation, request)), expected)
  })
}

/** invalid body fields, invalid subscription fields, expected errors: rules do not report values that the schema rejects */
const SCHEMA_ERRORS: readonly (readonly [fields: object, terms: object, expected: readonly string[]])[] = [
  [{ currency: 'EUR' }, {}, ['currency_invalid currency']],
  [{ description: 5 }, { items: [{ price_data: { amount: 1 } }] }, ['parameter_invalid_type description']],
  [
    {},
    { items: [{ description: 5, price_data: { amount: 1 } }] },
    ['parameter_invalid_type subscription_data[items][0][description]'],
  ],
  [{}, { items: [5] }, ['parameter_invalid_type subscription_data[items][0]']],
  [{}, { interval: 'eon', interval_count: 5000 }, ['parameter_invalid_enum subscription_data[interval]']],
  [{}, { interval_count: 0 }, ['interval_count_out_of_range subscription_data[interval_count]']],
  [{}, { days_until_due: -1 }, ['parameter_invalid_integer subscription_data[days_until_due]']],
  [
    {},
    { days_until_due: 1, collection_method: 'beg' },
    ['parameter_invalid_enum subscription_data[collection_method]'],
  ],
  [{}, { start_date: 'now' }, ['parameter_invalid_integer subscription_data[start_date]']],
  [{ expires_at: 'soon' }, {}, ['parameter_invalid_integer expires_at']],
  [{ subscription_data: 5 }, {}, ['parameter_invalid_type subscription_data']],
]

for (const [fields, terms, expected] of SCHEMA_ERRORS) {
  test(`a session with ${JSON.stringify({ ...fields, ...terms })} reports only ${expected}`, async () => {
    const sandbox = createSandbox()
    const { id } = await newCustomer(sandbox)
    const items = [{ description: 'Rent', price_data: { amount: 1, currency: 'eur' } }]
    const subscription_data = { interval: 'month', items, ...terms }
    const body = { currency: 'eur', customer: id, subscription_data, ...fields }
    assert.equal(await errorsOf(sandbox.send(api.checkoutSessions.create, { body })), expected)
  })
}

test('validates the entries of a list that is too long', async () => {
  const items = Array.from({ length: 21 }, () => ({
    description: 'x',
    price_data: { amount: 1, currency: 'usd' },
  }))
  const body = { ...checkout('cus_none'), subscription_data: { interval: 'day', items } }
  const errors = await errorsOf(createSandbox().send(api.checkoutSessions.create, { body }))
  assert.equal([errors.length, errors[0]], [22, 'parameter_invalid_array subscription_data[items]'])
})

test('validates times on the test clock of the customer, unless the clock is advancing', async () => {
  const sandbox = createSandbox()
  const { clock, customer } = await newCustomerOnClock(sandbox, START + 365 * DAY)
  const { id: withoutClock } = await newCustomer(sandbox)
  const create = (body: object) => errorsOf(sandbox.send(api.paymentSessions.create, { body }))
  const wrong = {
    amount: 0,
    currency: 'eur',
    payment_method_types: ['card'],
    return_url: 'https://a.example',
  }
  const both = ['amount_too_small amount', 'expires_at_out_of_range expires_at']
  assert.equal(await create({ ...wrong, customer, expires_at: SOON }), both)
  assert.equal(await create({ ...wrong, customer: withoutClock, expires_at: SOON }), [
    'amount_too_small amount',
  ])
  assert.equal(await create({ ...wrong, customer: 'cus_none', expires_at: 1 }), ['amount_too_small amount'])
  await advanceClockTo(sandbox, clock, START + 366 * DAY)
  await interruptAdvance(sandbox, clock, START + 367 * DAY)
  assert.equal(await create({ ...wrong, customer, expires_at: SOON }), ['amount_too_small amount'])
  await sandbox.call(api.customers.delete, { id: withoutClock })
  assert.equal(await create({ ...wrong, customer: withoutClock, expires_at: 1 }), ['amount_too_small amount'])
})

test('validates the card expiry on the test clock of the session, and reports it with the other errors', async () => {
  const sandbox = createSandbox()
  const { id } = await newPaymentSession(sandbox)
  const card = { number: '4242424242424242', exp_month: 1, exp_year: 2020, cvc: '123' }
  const body = { card, three_d_secure: 'maybe' }
  assert.equal(await errorsOf(sandbox.send(api.paymentSessions.complete, { id, body })), [
    'invalid_expiry_year card[exp_year]',
    'parameter_invalid_enum three_d_secure',
  ])
})

test('validates parameters before it loads objects, and leaves the idempotency key unused', async () => {
  const sandbox = createSandbox()
  const mismatched = checkout('cus_none')
  mismatched.subscription_data.items.splice(1)
  const create = (body: object) =>
    sendIdempotent(sandbox.runtime, { operation: api.checkoutSessions.create, key: 'k', body })
  const price_data = { amount: 1, currency: 'usd' }
  const items = [{ description: 'Rent', price_data }]
  const wrong = { ...mismatched, subscription_data: { interval: 'day', items } }
  assert.is(errorCodeOf(await create(wrong)), 'currency_mismatch')
  assert.is(errorCodeOf(await create(mismatched)), 'resource_missing')
  const { id } = await newCustomer(sandbox)
  assert.is((await create({ ...mismatched, customer: id })).status, 200)
})

test.run()
