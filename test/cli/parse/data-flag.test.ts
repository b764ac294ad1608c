import { checkoutSessions } from '../../../src/api/operations/checkout-sessions.ts'
import { customers } from '../../../src/api/operations/customers.ts'
import { paymentSessions } from '../../../src/api/operations/payment-sessions.ts'
import { addDataParams } from '../../../src/cli/parse/data-flag.ts'
import type { Params } from '../../../src/cli/parse/params.ts'
import { assert, suite } from '../../support/suite.ts'
import { usageErrorFrom } from '../../support/usage-errors.ts'

const { params: PAYMENT } = paymentSessions.create
const { params: CHECKOUT } = checkoutSessions.create

const PAIRS: readonly (readonly [pairs: string[], before: Params, after: Params])[] = [
  [['amount=1250'], {}, { amount: 1250 }],
  [['amount=12.5x'], {}, { amount: '12.5x' }],
  [['customer=12'], {}, { customer: '12' }],
  [['metadata[order]=1042', 'metadata[a]=b=c'], {}, { metadata: { order: '1042', a: 'b=c' } }],
  [['metadata[order]='], { metadata: { order: '1', kept: 'x' } }, { metadata: { order: '', kept: 'x' } }],
  [['payment_method_types[]=card', 'payment_method_types[]=x'], {}, { payment_method_types: ['card', 'x'] }],
  [['payment_method_types[0]=x'], { payment_method_types: ['card'] }, { payment_method_types: ['x'] }],
  [['nonsense=1'], {}, { nonsense: '1' }],
]

const test = suite('cli/data-flag')

for (const [pairs, before, after] of PAIRS) {
  test(`converts -d ${pairs.join(' -d ')} to ${JSON.stringify(after)}`, () =>
    assert.equal(addDataParams(before, pairs, PAYMENT), after))
}

test('converts nested --data values to the types of the schema', () => {
  const pairs = [
    'subscription_data[interval_count]=3',
    'subscription_data[items][0][price_data][amount]=100000',
    'subscription_data[items][0][price_data][tax_percent]=5.5',
    'subscription_data[items][0][description]=12',
  ]
  assert.equal(addDataParams({}, pairs, CHECKOUT), {
    subscription_data: {
      interval_count: 3,
      items: [{ price_data: { amount: 100000, tax_percent: 5.5 }, description: '12' }],
    },
  })
  assert.equal(addDataParams({}, ['name='], customers.update.params), { name: null })
  assert.equal(
    addDataParams({}, ['off_session=true'], { properties: { off_session: { type: 'boolean' } } }),
    {
      off_session: true,
    },
  )
})

test('does not modify its input parameters', () => {
  const before = { metadata: { a: '1' } }
  addDataParams(before, ['metadata[b]=2'], PAYMENT)
  assert.equal(before, { metadata: { a: '1' } })
})

for (const pair of ['', 'amount', '=1', 'a[b=1', 'a]b[=1', '[a]=1', `a${'[b]'.repeat(8)}=1`]) {
  test(`rejects -d '${pair}', which is not name=value`, () =>
    assert.throws(() => addDataParams({}, [pair], PAYMENT), /Invalid --data '.*': expected name=value/s))
}

for (const [pair, file] of [
  ['{"amount":1250', 'body.json'],
  ['@ada.json', 'ada.json'],
  ['@ada=1.json', 'ada=1.json'],
  ['@my ada.json; ls', "'my ada.json; ls'"],
] as const) {
  test(`suggests --from-file for -d '${pair}', which curl accepts`, () =>
    assert.match(
      usageErrorFrom(() => addDataParams({}, [pair], PAYMENT)).hint ?? '',
      `--from-file ${file}, or`,
    ))
}

for (const [json, pairs] of [
  ['{"amount":1250}', '-d amount=1250'],
  [
    ' {"name":"Ada L","metadata":{"order":"1"},"types":["a","b"]}',
    "-d 'name=Ada L' -d 'metadata[order]=1' -d 'types[]=a' -d 'types[]=b'",
  ],
] as const) {
  test(`suggests pairs for -d '${json}', which curl accepts`, () =>
    assert.match(
      usageErrorFrom(() => addDataParams({}, [json], PAYMENT)).hint ?? '',
      `Use ${pairs}. For a JSON file`,
    ))
}

for (const pair of ['__proto__=1', '__proto__[x]=1', 'metadata[__proto__]=1']) {
  test(`rejects -d '${pair}', which sets __proto__`, () =>
    assert.throws(() => addDataParams({}, [pair], PAYMENT), /cannot set '__proto__'/))
}

test.run()
