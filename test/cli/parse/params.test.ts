import { operations } from '../../../src/api/api.ts'
import { customers } from '../../../src/api/operations/customers.ts'
import { events } from '../../../src/api/operations/events.ts'
import { invoiceItems } from '../../../src/api/operations/invoice-items.ts'
import { webhookEndpoints } from '../../../src/api/operations/webhook-endpoints.ts'
import { createParamFlags } from '../../../src/cli/parse/flags.ts'
import {
  getParamFlagKind,
  listParamsWithFlags,
  RANGE_BOUNDS,
  toDashedName,
} from '../../../src/cli/parse/param-kinds.ts'
import { type FlagValues, getParamsFromFlags, requireParams } from '../../../src/cli/parse/params.ts'
import * as p from '../../../src/domain/core/params.ts'
import type { ObjectSchema, Schema } from '../../../src/domain/core/schema.ts'
import { assert, suite } from '../../support/suite.ts'
import { usageErrorFrom } from '../../support/usage-errors.ts'

/** Object parameters, which have hand-written flags. */
const NESTED: Readonly<Record<string, readonly string[]>> = {
  'checkoutSessions.create': ['subscription_data', 'discounts', 'branding'],
  'paymentSessions.create': ['branding'],
  'cardSessions.create': ['branding'],
  'portalSessions.create': ['features', 'branding'],
  'checkoutSessions.complete': ['card'],
  'paymentSessions.complete': ['card'],
  'subscriptions.update': ['items', 'pause_collection', 'discount'],
  'subscriptions.preview': ['items', 'discount'],
  'cardSessions.complete': ['card'],
  'disputes.update': ['evidence'],
  'invoices.payAsCustomer': ['card'],
  'testClocks.advance': ['by'],
  'faults.create': ['match'],
}

/** Returns sample flags of a parameter, and the parameter value that they set. */
function sample(name: string, schema: Schema<unknown>): readonly [flags: FlagValues, value: unknown] {
  const flag = toDashedName(name)
  switch (getParamFlagKind(name, schema)) {
    case 'boolean':
      return [{ [flag]: false }, false]
    case 'integer':
      return [{ [flag]: '12' }, 12]
    case 'percent':
      return [{ [flag]: '5.5' }, 5.5]
    case 'timestamp':
      return [{ [flag]: '2024-01-01' }, 1704067200]
    case 'metadata':
      return [{ [flag]: ['a=1', 'b=x=y', 'c='] }, { a: '1', b: 'x=y', c: '' }]
    case 'list':
      return [{ [flag]: ['a', 'b'] }, ['a', 'b']]
    case 'range':
      return [
        Object.fromEntries(RANGE_BOUNDS.map((bound, index) => [`${flag}-${bound}`, String(index)])),
        Object.fromEntries(RANGE_BOUNDS.map((bound, index) => [bound, index])),
      ]
    case 'text':
      return [{ [flag]: 'Ada' }, 'Ada']
  }
}

const roundTrips = suite('flags of every operation')

for (const { name, operation } of operations) {
  roundTrips(`sets every parameter of ${name} from flags`, () => {
    const schema: ObjectSchema<unknown> = operation.params
    const omit = NESTED[name] ?? []
    const samples = listParamsWithFlags(schema, omit).map(
      ([param, inner]) => [param, ...sample(param, inner)] as const,
    )
    const flags = Object.assign({}, ...samples.map(([, given]) => given))
    const expected = Object.fromEntries(samples.map(([param, , value]) => [param, value]))
    assert.equal(getParamsFromFlags(schema, flags, omit), expected)
    const declared = createParamFlags(schema, { omit })
    const all = 'starting_after' in schema.properties ? ['all'] : []
    assert.equal(Object.keys(declared).sort(), [...Object.keys(flags), ...all].sort(), 'declared flags')
    for (const [flag, { description }] of Object.entries(declared)) {
      assert.match(description ?? '', /\w.*\.$/, `description of --${flag}`)
    }
    assert.equal(getParamsFromFlags(schema, {}, omit), {}, 'without flags')
  })
}

roundTrips.run()

const test = suite('cli/params')

test('sets a nullable parameter to null for an empty flag value', () => {
  const { params } = customers.update
  assert.equal(getParamsFromFlags(params, { name: '', phone: 'x' }), { name: null, phone: 'x' })
  assert.equal(getParamsFromFlags(params, { email: '' }), { email: '' })
  assert.equal(getParamsFromFlags(params, { metadata: [''] }), { metadata: '' })
  assert.equal(getParamsFromFlags(params, { metadata: ['a='] }), { metadata: { a: '' } })
})

test('marks the flags of required parameters in the help, and names all missing flags in the error', () => {
  const flags = createParamFlags(customers.create.params)
  assert.match(flags['email']?.description ?? '', /^\(required\)/)
  assert.not.match(flags['name']?.description ?? '', /required/)
  const { params } = webhookEndpoints.create
  requireParams(params, { url: 'http://x' })
  assert.throws(() => requireParams(params, {}), /Missing flag: --url\./)
})

const WRONG: readonly (readonly [flags: FlagValues, message: RegExp])[] = [
  [{ limit: 'many' }, /^Invalid --limit 'many': expected an integer\.$/],
  [{ limit: '1.5' }, /^Invalid --limit/],
  [{ limit: '' }, /^Invalid --limit/],
  [{ limit: '99999999999999999999' }, /^Invalid --limit/],
  [{ 'created-gte': 'yesterday' }, /^Invalid --created-gte 'yesterday': expected a timestamp/],
  [{ 'sequence-gt': '2024-01-01' }, /^Invalid --sequence-gt '2024-01-01': expected an integer/],
]

test('explains a decimal amount, and rejects a tax rate with a percent sign', () => {
  const { params } = invoiceItems.create
  assert.equal(getParamsFromFlags(params, { 'unit-amount': '-1250' }), { unit_amount: -1250 })
  const hintOf = (flags: FlagValues) => usageErrorFrom(() => getParamsFromFlags(params, flags)).hint ?? ''
  assert.match(hintOf({ 'unit-amount': '-12.50' }), 'for -12.50 use --unit-amount -1250.')
  assert.match(hintOf({ 'tax-percent': '20%' }), 'Use --tax-percent 20')
  const off = p.shape({}, { amount_off: p.amount(1, 'Discount.') })
  assert.match(
    usageErrorFrom(() => getParamsFromFlags(off, { 'amount-off': '5.00' })).hint ?? '',
    'for 5.00 use --amount-off 500.',
  )
})

for (const [flags, message] of WRONG) {
  test(`rejects the flags ${JSON.stringify(flags)}`, () => {
    assert.match(usageErrorFrom(() => getParamsFromFlags(events.list.params, flags)).message, message)
  })
}

for (const pair of ['order', '=1042', '']) {
  test(`rejects --metadata '${pair}', which is not key=value`, () => {
    assert.throws(
      () => getParamsFromFlags(customers.create.params, { metadata: [pair] }),
      /Invalid --metadata '.*': expected key=value/,
    )
  })
}

test('accepts __proto__ as a metadata key', () => {
  const { metadata } = getParamsFromFlags(customers.create.params, { metadata: ['__proto__=x'] })
  assert.equal(Object.entries(metadata ?? {}), [['__proto__', 'x']])
})

test.run()
