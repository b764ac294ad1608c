import { api } from '../../../src/api/api.ts'
import { getParamsFromFlags } from '../../../src/cli/parse/params.ts'
import { mergeFileAndDataParams } from '../../../src/cli/request/request-body.ts'
import { CHECKOUT_FLAG_MAPPING } from '../../../src/cli/sessions/checkout-params.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/request-body')

const ofCustomer = (flags: object) => {
  const { params } = api.customers.create
  return mergeFileAndDataParams(Object(flags), params, getParamsFromFlags<unknown>(params, Object(flags)))
}
const ofCheckout = (flags: object) => {
  const { params } = api.checkoutSessions.create
  return mergeFileAndDataParams(Object(flags), params, CHECKOUT_FLAG_MAPPING.fromFlags(Object(flags)))
}
const errorOf = (body: Promise<unknown>): Promise<string> => body.then(() => 'none', String)

test('throws when a flag and --data set different values, and accepts equal values', async () => {
  const email = { email: 'ada@example.com' }
  assert.match(
    await errorOf(ofCustomer({ ...email, data: ['email=bob@example.com'] })),
    "--email and --data give different values for 'email'.",
  )
  assert.equal(await ofCustomer({ ...email, data: ['email=ada@example.com', 'name=Ada'] }), {
    ...email,
    name: 'Ada',
  })
  const metadata = { metadata: ['order=1'], data: ['metadata[shop]=7'] }
  assert.match(await errorOf(ofCustomer(metadata)), '--metadata and --data')
})

test('rejects different values of the same nested field in a flag and --data, and accepts different fields', async () => {
  const data = ['subscription_data[interval]=month']
  assert.match(
    await errorOf(ofCheckout({ interval: 'year', data })),
    "--interval and --data give different values for 'subscription_data[interval]'.",
  )
  assert.equal(await ofCheckout({ 'interval-count': '2', data }), {
    subscription_data: { interval: 'month' },
  })
})

test('names the flag that conflicts with --data, even if its name differs from the parameter', async () => {
  const { params } = api.testClocks.create
  const ofClock = (at: string, frozen_time: unknown, data: string) =>
    mergeFileAndDataParams({ at, data: [data] }, params, { frozen_time })
  assert.match(await errorOf(ofClock('now', 'now', 'frozen_time=5')), '--at and --data')
  const onSession = { 'on-session': true, data: ['off_session=true'] }
  const paid = mergeFileAndDataParams(onSession, api.invoices.pay.params, { off_session: false })
  assert.match(await errorOf(paid), "--on-session and --data give different values for 'off_session'.")
  const metadata = {
    metadata: ['order=1'],
    'subscription-metadata': ['y=2'],
    data: ['subscription_data[metadata][x]=1'],
  }
  assert.match(await errorOf(ofCheckout(metadata)), '--subscription-metadata and --data')
  const items = { item: ['Rent:1'], data: ['subscription_data[items][0][description]=Tea'] }
  assert.match(await errorOf(ofCheckout(items)), '--item and --data')
})

test('accepts a date flag and the same time in Unix seconds in --data', async () => {
  const flags = { 'start-date': '2027-01-01' }
  for (const [start, isEqual] of [
    ['2027-01-01', true],
    ['1798761600', true],
    ['2027-01-01T00:00:00Z', true],
    ['2027-01-02', false],
    ['soon', false],
  ] as const) {
    const error = await errorOf(ofCheckout({ ...flags, data: [`subscription_data[start_date]=${start}`] }))
    assert.is(error === 'none', isEqual, `${start}: ${error}`)
  }
})

test.run()
