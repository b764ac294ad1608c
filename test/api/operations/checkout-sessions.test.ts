import { api } from '../../../src/api/api.ts'
import { testDomainErrors } from '../../support/domain-errors.ts'
import { newCustomer } from '../../support/samples.ts'
import { catchDomainError, createSandbox, DAY, START } from '../../support/sandbox.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('api/checkout-sessions')

const NOW = START

const body = (customer: string) => ({
  currency: 'eur',
  customer,
  description: 'Flat 3',
  payment_method_types: ['card'],
  subscription_data: {
    collection_method: 'charge_automatically',
    interval: 'month',
    interval_count: 1,
    start_date: 1704067200,
    items: [
      {
        description: 'Monthly rent',
        type: 'rent',
        price_data: { amount: 100000, currency: 'eur', tax_percent: 20 },
      },
    ],
  },
})

const ITEM = 'subscription_data[items][0]'
const PRICE = `${ITEM}[price_data]`

testDomainErrors(test, {
  operation: api.checkoutSessions.create,
  prepare: async (sandbox) => ({ body: body((await newCustomer(sandbox)).id) }),
  table: `
  no currency                                     parameter_missing
  currency = "euro"                               currency_invalid
  currency = 978                                  parameter_invalid_type
  no customer                                     parameter_missing
  customer = 7                                    parameter_invalid_type
  customer = text(256)                            parameter_invalid_string
  customer = "cus_nobody"                         resource_missing
  description = "a\\u0007b"                       parameter_invalid_string
  description = text(5001)                        parameter_invalid_string
  payment_method_types = []                       parameter_invalid_array
  payment_method_types = cards(101)               parameter_invalid_array
  payment_method_types = "card"                   parameter_invalid_type
  payment_method_types[0] = "giropay"             payment_method_type_unsupported
  payment_method_types[0] = 1                     parameter_invalid_type
  no subscription_data                            parameter_missing
  subscription_data = "monthly"                   parameter_invalid_type
  no subscription_data[interval]                  parameter_missing
  subscription_data[interval] = "quarter"         parameter_invalid_enum
  subscription_data[interval_count] = 0           interval_count_out_of_range
  subscription_data[interval_count] = 37          interval_count_out_of_range
  subscription_data[collection_method] = "invoice"     parameter_invalid_enum
  subscription_data[start_date] = -1              timestamp_invalid
  subscription_data[start_date] = 1704067200000   timestamp_invalid
  subscription_data[start_date] = ${NOW + 1827 * DAY}      timestamp_invalid
  subscription_data[start_date] = 9007199254740992     parameter_invalid_integer
  subscription_data[days_until_due] = 14          days_until_due_not_allowed
  subscription_data[days_until_due] = 366         parameter_invalid_integer
  subscription_data[days_until_due] = -1          parameter_invalid_integer
  subscription_data[metadata] = {"a[b]":"c"}      metadata_invalid
  subscription_data[trial_days] = 3               parameters_exclusive
  subscription_data[trial_days] = 0               parameter_invalid_integer
  subscription_data[trial_days] = 731             parameter_invalid_integer
  subscription_data[trial_end] = 1705314601       parameters_exclusive
  subscription_data[trial_end] = -1               timestamp_invalid
  payment_method_collection = "if_required"       trial_missing
  payment_method_collection = "never"             parameter_invalid_enum
  subscription_data[intervall] = "month"          parameter_unknown     try interval
  no subscription_data[items]                     parameter_missing
  subscription_data[items] = []                   parameter_invalid_array
  subscription_data[items] = items(21)            parameter_invalid_array
  ${ITEM} = "rent"                                parameter_invalid_type
  ${ITEM}[description] = text(501)                parameter_invalid_string
  ${ITEM}[type] = "Rent"                          parameter_invalid_string
  ${ITEM}[type] = text(41)                        parameter_invalid_string
  ${ITEM}[size] = 2                               parameter_unknown
  ${ITEM}[quantity] = -1                          parameter_invalid_integer
  ${ITEM}[quantity] = 1000000                     parameter_invalid_integer
  no ${PRICE}                                     parameter_missing
  no ${PRICE}[amount]                             parameter_missing
  ${PRICE}[amount] = -1                           amount_too_small
  ${PRICE}[amount] = 1000000000000                amount_too_large
  ${PRICE}[amount] = true                         parameter_invalid_integer
  ${PRICE}[currency] = "usd"                      currency_mismatch
  ${PRICE}[currency] = "EUR"                      currency_invalid
  ${PRICE}[tax_percent] = -0.1                    tax_percent_invalid
  ${PRICE}[tax_percent] = 100.1                   tax_percent_invalid
  ${PRICE}[tax_percent] = 5.12345                 tax_percent_invalid
  ${PRICE}[tax_percent] = "20"                    parameter_invalid_type
  ${PRICE}[tax_percnt] = 20                       parameter_unknown     try tax_percent
  return_url = "/return"                          url_invalid
  return_url = "javascript:alert(1)"              url_invalid
  return_url = "https://u:p@example.com"          url_invalid
  return_url = "https://"                         url_invalid
  return_url = url(2049)                          url_invalid
  client_reference_id = text(201)                 parameter_invalid_string
  locale = "de-CH"                                parameter_invalid_enum
  expires_at = ${NOW + 1799}                      expires_at_out_of_range
  expires_at = ${NOW + 70 * DAY + 1}              expires_at_out_of_range
  expires_at = -1                                 expires_at_out_of_range
  metadata = keys(51)                             metadata_invalid
  metadata = {"a":1}                              metadata_invalid
  metadata = {"":"a"}                             metadata_invalid
  metadata = {"a":"b\\u0000"}                     metadata_invalid
  custmer = "cus_1"                               parameter_unknown     try customer
  payment-method-types = ["card"]                 parameter_unknown     try payment_method_types
  nonsense = 1                                    parameter_unknown
  id = "cks_1"                                    parameter_unknown
  `,
})

test('requires a description of the session or of every item in it', async () => {
  const sandbox = createSandbox()
  const { id } = await newCustomer(sandbox)
  const described = { description: 'Rent', price_data: { amount: 1 } }
  const bare = { price_data: { amount: 2 } }
  const create = (items: object[], description?: string) => {
    const { subscription_data, ...rest } = body(id)
    const terms = { ...subscription_data, items }
    return sandbox.send(api.checkoutSessions.create, {
      body: { ...rest, description: description ?? null, subscription_data: terms },
    })
  }
  for (const items of [[bare], [described, bare]]) {
    const { code, param, message } = await catchDomainError(create(items))
    assert.equal([code, param], ['parameter_missing', 'description'])
    assert.match(message, /on the session or on every item/)
    await create(items, 'Flat 3')
  }
  await create([described])
})

test('reports all schema errors of a request body, the misspelled parameter first', async () => {
  const sandbox = createSandbox()
  const before = await sandbox.snapshot()
  const { code, param, errors } = await catchDomainError(
    sandbox.send(api.checkoutSessions.create, {
      body: {
        currency: 'EUR',
        descripton: 'Rent',
        payment_method_types: ['card', 'ideal'],
        subscription_data: { interval: 'monthly', items: [{ price_data: { amount: -1, tax_percent: 101 } }] },
      },
    }),
  )
  assert.equal(
    errors.map((error) => `${error.code} ${error.param}`),
    [
      'parameter_unknown descripton',
      'currency_invalid currency',
      'parameter_missing customer',
      'parameter_invalid_enum subscription_data[interval]',
      'amount_too_small subscription_data[items][0][price_data][amount]',
      'tax_percent_invalid subscription_data[items][0][price_data][tax_percent]',
      'parameter_missing description',
      'payment_method_type_unsupported payment_method_types[1]',
    ],
  )
  assert.equal([code, param], ['parameter_unknown', 'descripton'])
  assert.equal(await sandbox.snapshot(), before)
})

test.run()
