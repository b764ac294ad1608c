import { operations } from '../../../src/api/api.ts'
import { RESOURCES } from '../../../src/api/resources/catalog.ts'
import { listEventDifferences } from '../../../src/dashboard/format/differences.ts'
import { createFieldText, isObjectId } from '../../../src/dashboard/format/format-field.ts'
import { formatObjectHeadline } from '../../../src/dashboard/format/object-headline.ts'
import type { Schema } from '../../../src/domain/core/schema.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('dashboard/format/format-field')

const CUSTOMER = 'cus_4bT9wNqXz7LrYcVd2PkH8mJs'

test('formats amounts, times, ids, items and balances', () => {
  const text = (name: string, value: unknown) => createFieldText(name, value, 'eur').text
  assert.is(text('amount_due', 1250), '12.50 EUR')
  assert.is(text('created', 1_767_225_600), '2026-01-01 00:00:00')
  assert.is(text('quantity', 3), '3')
  assert.is(text('cancel_at_period_end', true), 'yes')
  assert.is(text('balances', { eur: -500, jpy: 20 }), '-5.00 EUR, 20 JPY')
  const item = { description: 'Seat', quantity: 3, price_data: { amount: 1500, currency: 'eur' } }
  assert.is(text('items', [item]), 'Seat 3 × 15.00 EUR')
  assert.equal(createFieldText('customer', CUSTOMER, null), { kind: 'id', text: CUSTOMER })
  assert.equal(createFieldText('invoice', 'in_projected_1', null), { kind: 'text', text: 'in_projected_1' })
  assert.equal(createFieldText('name', null, null), { kind: 'none', text: '–' })
  assert.is(createFieldText('hosted_invoice_url', 'http://127.0.0.1/x', null).kind, 'url')
})

test('isolates right-to-left words, so that amounts and currencies keep their order', () => {
  const item = { description: 'اشتراك شهري', quantity: 1, price_data: { amount: 1500, currency: 'eur' } }
  const shown = '\u200E\u2068اشتراك شهري\u2069 15.00 EUR'
  assert.is(createFieldText('items', [item], null).text, shown)
  const headline = formatObjectHeadline({ object: 'customer', name: 'محمد عبد الله', email: 'm@example.com' })
  assert.is(headline, '\u200E\u2068محمد عبد الله\u2069 · m@example.com')
})

/** Returns the fields of a schema with their names. */
function fieldsOf(schema: Schema<unknown>, name = ''): (readonly [name: string, schema: Schema<unknown>])[] {
  const { properties = {}, items, additionalProperties: values, anyOf = [] } = schema
  return [
    [name, schema] as const,
    ...Object.entries(properties).flatMap(([field, inner]) => fieldsOf(inner, field)),
    ...[items ?? [], anyOf, typeof values === 'object' ? values : []]
      .flat()
      .flatMap((one) => fieldsOf(one, name)),
  ]
}

test('shows enum values as words, and never changes the strings of a merchant', () => {
  const fields = operations.flatMap(({ operation }) => fieldsOf(operation.response))
  // The documentation explains these codes.
  const codes = ['type', 'payment_method_types', 'decline_code']
  for (const [name, { enum: values }] of fields)
    for (const value of values ?? [])
      if (typeof value === 'string' && !codes.includes(name))
        assert.is(createFieldText(name, value, null).text, value.replaceAll('_', ' '), name)
  const texts = fields.filter(
    ([, { type, enum: values }]) => [type].flat().includes('string') && values === undefined,
  )
  for (const name of [...new Set(texts.map(([name]) => name)), ...codes, 'metadata.reason', 'metadata.name'])
    if (!/_reason$/.test(name)) assert.is(createFieldText(name, 'past_due', null).text, 'past_due', name)
})

test('never throws for values that do not fit their field', () => {
  assert.is(createFieldText('amount', 1.5, 'eur').text, '1.5')
  assert.is(createFieldText('created', 9e15, null).text, '9000000000000000')
  assert.is(createFieldText('items', ['x'], null).text, '"x"')
  assert.is(createFieldText('balances', { xxx: 7 }, null).text, '7')
})

test('recognizes the ids of every resource that has a screen', () => {
  for (const { name, idPrefix } of RESOURCES)
    assert.is(isObjectId(`${idPrefix}4bT9wNqXz7LrYcVd2PkH8mJs`), name !== 'api_keys', name)
  assert.not.ok(isObjectId('cus_short'))
  assert.not.ok(isObjectId('past_due'))
  assert.not.ok(isObjectId('in_projected_1'))
})

type Changed = Parameters<typeof listEventDifferences>[0]

test('lists the changed fields of an event, with minor fields such as status times last', () => {
  const object = { id: 'py_1', object: 'payment', currency: 'eur', amount_refunded: 400, refunded: false }
  const changed = {
    created: 9,
    data: {
      object: { ...object, status: 'failed', failed_at: 9 },
      previous_attributes: { failed_at: null, status: 'processing', amount_refunded: 0 },
    },
  } as Changed
  assert.equal(
    listEventDifferences(changed).map(({ label, from, to, isMinor }) => [label, from.text, to.text, isMinor]),
    [
      ['Status', 'processing', 'failed', false],
      ['Amount refunded', '0.00 EUR', '4.00 EUR', false],
      ['Failed at', '–', '1970-01-01 00:00:09', true],
    ],
  )
  assert.equal(listEventDifferences({ created: 9, data: { object: changed.data.object } }), [])
})

test('describes each object by a few identifying words', () => {
  const card = { brand: 'visa', last4: '4242' }
  const payment = { object: 'payment', amount: 1250, currency: 'eur', payment_method_details: { card } }
  assert.is(formatObjectHeadline(payment), '12.50 EUR · Visa •••• 4242')
  assert.is(
    formatObjectHeadline({ object: 'customer', email: 'ada@example.com', name: null }),
    'ada@example.com',
  )
  assert.is(formatObjectHeadline({ object: 'customer', email: 'x'.repeat(500) }).length, 121)
  assert.is(formatObjectHeadline({ object: 'unknown' }), '')
})

test.run()
