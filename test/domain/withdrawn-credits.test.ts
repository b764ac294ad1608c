import { type CreditableLine, withdrawCredits } from '../../src/domain/withdrawn-credits.ts'
import { MONTH } from '../support/prorations.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('domain/withdrawn-credits')

/** Returns a line that half of `MONTH` is left of; a regular line bills all of it. */
function aLine(invoice: string | null, price: number, more: Partial<CreditableLine> = {}): CreditableLine {
  const half = { start: MONTH.end / 2, end: MONTH.end }
  return {
    subscription_item: 'si_1',
    description: 'Seat',
    type: 'seat',
    proration: true,
    quantity: 1,
    unit_amount: price,
    amount: price / 2,
    tax_percent: 0,
    period: half,
    invoice,
    ...more,
  }
}

const regular = (invoice: string, price: number) =>
  aLine(invoice, price, { proration: false, amount: price, period: MONTH })
const withdrawn = (invoice: string | null, amount: number) => aLine(invoice, 0, { amount })

/** what was billed, the voided invoice, the amounts that are taken back */
const CASES: readonly (readonly [string, readonly CreditableLine[], string, readonly number[]])[] = [
  ['nothing without a credit', [regular('in_1', 30)], 'in_1', []],
  ['a pending credit', [regular('in_1', 30), aLine(null, -30), aLine(null, 50)], 'in_1', [15]],
  ['a billed credit', [regular('in_1', 30), aLine('in_2', -30), aLine('in_2', 50)], 'in_1', [15]],
  ['nothing of a void credit', [regular('in_1', 30), aLine('in_2', -30), aLine('in_2', 50)], 'in_2', []],
  [
    'only what exceeds the invoices that are left',
    [regular('in_1', 30), aLine('in_2', -30), aLine('in_2', 50), aLine(null, -50), aLine(null, 20)],
    'in_2',
    [10],
  ],
  [
    'one amount for a credit of another credit',
    [regular('in_1', 30), aLine(null, -30), aLine(null, 50), aLine(null, -50), aLine(null, 30)],
    'in_1',
    [15],
  ],
  [
    'nothing that was taken back already',
    [aLine('in_2', -30), aLine('in_2', 50), withdrawn(null, 15), regular('in_3', 10)],
    'in_3',
    [],
  ],
  [
    'less when a credit that was taken back becomes void too',
    [aLine('in_2', -30), aLine('in_2', 50), withdrawn('in_3', 15)],
    'in_2',
    [-15],
  ],
  [
    'nothing of a credit whose withdrawal a pause of collection voided',
    [aLine('in_2', -30), aLine('in_2', 80)],
    'in_2',
    [],
  ],
  ['again when the withdrawal becomes void', [aLine('in_2', -30), withdrawn('in_3', 15)], 'in_3', [15]],
]

for (const [expected, billed, voided, amounts] of CASES) {
  test(`takes back ${expected}`, () => {
    assert.equal(
      withdrawCredits(billed, voided).map(({ amount }) => amount),
      amounts,
    )
  })
}

test('keeps the name, the tax rate and the time of the credit', () => {
  const taxed = { tax_percent: 19 }
  assert.equal(withdrawCredits([regular('in_1', 30), aLine(null, -30, taxed)], 'in_1'), [
    {
      subscription_item: 'si_1',
      description: 'Seat',
      type: 'seat',
      quantity: 1,
      unit_amount: 0,
      amount: 15,
      tax_percent: 19,
      period: { start: MONTH.end / 2, end: MONTH.end },
      proration: true,
    },
  ])
})

test('rounds a part of a credit half up', () => {
  const lines = [regular('in_1', 1), regular('in_2', 1), aLine(null, -3, { amount: -1 })]
  assert.equal(
    withdrawCredits(lines, 'in_1').map(({ amount }) => amount),
    [],
    'the last regular line counts',
  )
  assert.equal(
    withdrawCredits(lines, 'in_2').map(({ amount }) => amount),
    [],
  )
  const changed = [aLine('in_1', 1), aLine('in_2', 1), aLine(null, -2, { amount: -1 })]
  assert.equal(
    withdrawCredits(changed, 'in_2').map(({ amount }) => amount),
    [1],
  )
})

test('ignores one-off fees and credits', () => {
  const lines = [
    aLine('in_1', 30, { subscription_item: null }),
    aLine(null, -30, { subscription_item: null }),
  ]
  assert.equal(withdrawCredits(lines, 'in_1'), [])
})

test.run()
