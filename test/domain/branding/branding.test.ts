import { api } from '../../../src/api/api.ts'
import { createBranding } from '../../../src/domain/branding/branding.ts'
import { newCustomer } from '../../support/samples.ts'
import { catchDomainError, createSandbox } from '../../support/sandbox.ts'
import { assert, suite } from '../../support/suite.ts'
import { svg } from './logos/hostile-svgs.ts'

const test = suite('branding')

const dataUrl = (image: string) => `data:image/svg+xml;base64,${btoa(image)}`

test('returns null for a brand without name, color and logo', () => {
  assert.is(createBranding(undefined), null)
  assert.is(createBranding({}), null)
})

test('stores the logo sanitized and the color in lower case', () => {
  const logo = `data:image/svg+xml,${encodeURIComponent(svg('<title>x</title><g/>'))}`
  assert.equal(createBranding({ logo, brand_color: '#7A3B1D' }), {
    business_name: null,
    logo: dataUrl(svg('<g/>')),
    brand_color: '#7a3b1d',
  })
})

test('sessions of each type return their branding, or null without branding', async () => {
  const sandbox = createSandbox()
  const { id: customer } = await newCustomer(sandbox)
  const payment = { customer, amount: 500, currency: 'eur', payment_method_types: ['card' as const] }
  const items = [{ description: 'Rent', price_data: { amount: 500 } }]
  for (const given of [undefined, { business_name: 'Harbor Gym', logo: dataUrl(svg('<g/>')) }]) {
    const branding = given === undefined ? {} : { branding: given }
    const expected = given === undefined ? null : { ...given, brand_color: null }
    const sessions = [
      await sandbox.call(api.paymentSessions.create, {
        ...payment,
        return_url: 'https://shop.example/',
        ...branding,
      }),
      await sandbox.call(api.checkoutSessions.create, {
        ...{ customer, currency: 'eur', ...branding },
        subscription_data: { interval: 'month', items },
      }),
      await sandbox.call(api.cardSessions.create, { customer, ...branding }),
    ]
    for (const session of sessions) assert.equal(session.branding, expected)
  }
})

test('the errors name the parameter and its value, and explain how to fix the value', async () => {
  const sandbox = createSandbox()
  const { id: customer } = await newCustomer(sandbox)
  for (const [branding, param, message] of [
    [{ brand_color: 'red' }, 'branding[brand_color]', "'red' is not a color such as #7a3b1d."],
    [{ business_name: '' }, 'branding[business_name]', 'must not be empty'],
    [{ business_name: 'x'.repeat(101) }, 'branding[business_name]', 'has 101 characters; the maximum is 100'],
    [{ logo: 'https://shop.example/logo.svg' }, 'branding[logo]', 'is not a data URL such as'],
    [
      { logo: dataUrl(svg('<script>1</script>')) },
      'branding[logo]',
      'contains the element <script>. Use an SVG',
    ],
    [
      { logo: `data:image/png,${'x'.repeat(100_000)}` },
      'branding[logo]',
      'has 100000 bytes, more than 32768',
    ],
    [{ name: 'x' }, 'branding[name]', 'Known parameters: business_name, logo, brand_color'],
  ] as const) {
    const error = await catchDomainError(
      sandbox.send(api.cardSessions.create, { body: { customer, branding } }),
    )
    assert.is(error.param, param)
    assert.match(error.message, message)
    assert.ok(error.message.length < 500, 'it quotes only the start of a value')
  }
})

test.run()
