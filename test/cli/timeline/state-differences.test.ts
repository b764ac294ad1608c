import { formatDifferences, toStateDifference } from '../../../src/cli/timeline/state-differences.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/state-differences')

const INVOICE = { id: 'in_1', object: 'invoice', currency: 'eur', total: 1250, metadata: { kept: 'x' } }
const CUSTOMER = { id: 'cus_1', object: 'customer', name: 'Ada', description: null }

test('lists the fields of a changed object, but not of an added or removed object', () => {
  const now = { ...INVOICE, total: 1300, metadata: { kept: 'x', order: '7' } }
  assert.equal(toStateDifference({ change: 'changed', before: INVOICE, now }), {
    change: 'changed',
    object: 'invoice',
    id: 'in_1',
    changes: [
      { field: 'total', from: 1250, to: 1300 },
      { field: 'metadata.order', from: null, to: '7' },
    ],
  })
  const removed = toStateDifference({ change: 'removed', before: CUSTOMER, now: null })
  assert.equal(removed, { change: 'removed', object: 'customer', id: 'cus_1', changes: [] })
  assert.equal(toStateDifference({ change: 'added', before: null, now: CUSTOMER }).changes, [])
})

test('prints changes below their object, and truncates long values and escapes unsafe values', () => {
  const text = formatDifferences(
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
      '         metadata.kept x -> not set',
      'changed  customer  cus_1',
      '         name Ada -> \\u001b[2J,',
      '         description not set -> long',
      `         ${'long '.repeat(6).trimEnd()}`,
      `         ${'long '.repeat(5)}…`,
      'added    customer  cus_1',
      '',
    ].join('\n'),
  )
})

test('prints a note when there are no differences', () =>
  assert.is(formatDifferences([], 80), 'No differences.\n'))

test.run()
