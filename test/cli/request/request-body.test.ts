import { api } from '../../../src/api/index.ts'
import { paramsFromFlags } from '../../../src/cli/parse/params.ts'
import { bodyParams } from '../../../src/cli/request/request-body.ts'
import { spokenParams } from '../../../src/cli/sessions/checkout-params.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/request-body')

const ofCustomer = (flags: object) => {
  const { params } = api.customers.create
  return bodyParams(Object(flags), params, paramsFromFlags<unknown>(params, Object(flags)))
}
const ofCheckout = (flags: object) => {
  const { params } = api.checkoutSessions.create
  return bodyParams(Object(flags), params, spokenParams(Object(flags), params))
}
const refusalOf = (body: Promise<unknown>): Promise<string> => body.then(() => 'none', String)

test('what a flag and --data say differently is refused, and what they say alike is not', async () => {
  const email = { email: 'ada@example.com' }
  assert.match(
    await refusalOf(ofCustomer({ ...email, data: ['email=bob@example.com'] })),
    "--email and --data say different things of 'email'.",
  )
  assert.equal(await ofCustomer({ ...email, data: ['email=ada@example.com', 'name=Ada'] }), {
    ...email,
    name: 'Ada',
  })
  const metadata = { metadata: ['order=1'], data: ['metadata[shop]=7'] }
  assert.match(await refusalOf(ofCustomer(metadata)), '--metadata and --data')
})

test('of what flags say in parts each part is compared', async () => {
  const data = ['subscription_data[interval]=month']
  assert.match(
    await refusalOf(ofCheckout({ interval: 'year', data })),
    "--interval and --data say different things of 'subscription_data[interval]'.",
  )
  assert.equal(await ofCheckout({ 'interval-count': '2', data }), {
    subscription_data: { interval: 'month' },
  })
})

test('a flag of another name than its parameter is told by its own', async () => {
  const { params } = api.testClocks.create
  const ofClock = (at: string, frozen_time: unknown, data: string) =>
    bodyParams({ at, data: [data] }, params, { frozen_time })
  assert.match(await refusalOf(ofClock('now', 'now', 'frozen_time=5')), '--at and --data')
  const present = { 'on-session': true, data: ['off_session=true'] }
  const paid = bodyParams(present, api.invoices.pay.params, { off_session: false })
  assert.match(await refusalOf(paid), "--on-session and --data say different things of 'off_session'.")
  const noted = {
    metadata: ['order=1'],
    'subscription-metadata': ['y=2'],
    data: ['subscription_data[metadata][x]=1'],
  }
  assert.match(await refusalOf(ofCheckout(noted)), '--subscription-metadata and --data')
  const sold = { item: ['Rent:1'], data: ['subscription_data[items][0][description]=Tea'] }
  assert.match(await refusalOf(ofCheckout(sold)), '--item and --data')
})

test('one moment, written as a date and as seconds, is said alike', async () => {
  const said = { 'start-date': '2027-01-01' }
  for (const [start, isAlike] of [
    ['2027-01-01', true],
    ['1798761600', true],
    ['2027-01-01T00:00:00Z', true],
    ['2027-01-02', false],
    ['soon', false],
  ] as const) {
    const told = await refusalOf(ofCheckout({ ...said, data: [`subscription_data[start_date]=${start}`] }))
    assert.is(told === 'none', isAlike, `${start}: ${told}`)
  }
})

test.run()
