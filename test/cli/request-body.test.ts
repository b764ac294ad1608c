import { api } from '../../src/api/index.ts'
import { spokenParams } from '../../src/cli/checkout-params.ts'
import { paramsFromFlags } from '../../src/cli/params.ts'
import { bodyParams } from '../../src/cli/request-body.ts'
import { assert, suite } from '../support/suite.ts'

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
    "--interval and --data say different things of 'interval'.",
  )
  assert.equal(await ofCheckout({ 'interval-count': '2', data }), {
    subscription_data: { interval: 'month' },
  })
})

test.run()
