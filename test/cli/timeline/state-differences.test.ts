import { differenceOf, viewDifferences } from '../../../src/cli/timeline/state-differences.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/state-differences')

const INVOICE = { id: 'in_1', object: 'invoice', currency: 'eur', total: 1250, metadata: { kept: 'x' } }
const CUSTOMER = { id: 'cus_1', object: 'customer', name: 'Ada', description: null }

test('of what changed each field is told, of what came or went none', () => {
  const now = { ...INVOICE, total: 1300, metadata: { kept: 'x', order: '7' } }
  assert.equal(differenceOf({ change: 'changed', before: INVOICE, now }), {
    change: 'changed',
    object: 'invoice',
    id: 'in_1',
    changes: [
      { field: 'total', from: 1250, to: 1300 },
      { field: 'metadata.order', from: null, to: '7' },
    ],
  })
  const gone = differenceOf({ change: 'removed', before: CUSTOMER, now: null })
  assert.equal(gone, { change: 'removed', object: 'customer', id: 'cus_1', changes: [] })
  assert.equal(differenceOf({ change: 'added', before: null, now: CUSTOMER }).changes, [])
})

test('as text changes stand below their object, amounts with their currency, and long or harmful values are harmless', () => {
  const text = viewDifferences(
    [
      { change: 'changed', before: INVOICE, now: { ...INVOICE, total: 1300, metadata: {} } },
      {
        change: 'changed',
        before: CUSTOMER,
        now: { ...CUSTOMER, name: '\u001b[2J', description: 'long '.repeat(40) },
      },
      { change: 'added', before: null, now: CUSTOMER },
    ],
    40,
  )
  assert.is(
    text,
    [
      'changed  invoice   in_1',
      '         total 12.50 EUR -> 13.00 EUR,',
      '         metadata.kept x -> -',
      'changed  customer  cus_1',
      '         name Ada -> \\u001b[2J,',
      `         description - -> ${'long '.repeat(12)}…`,
      'added    customer  cus_1',
      '',
    ].join('\n'),
  )
})

test('where nothing differs that is said', () =>
  assert.is(viewDifferences([], 80), 'Nothing is different.\n'))

test.run()
