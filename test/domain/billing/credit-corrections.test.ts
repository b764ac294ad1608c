import fc from 'fast-check'
import {
  type CreditableLine,
  createCreditCorrections,
} from '../../../src/domain/billing/credit-corrections.ts'
import { MONTH } from '../../support/prorations.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/billing/withdrawn-credits')

/** Returns a line, by default a proration for the second half of `MONTH`. */
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

/** Columns: case, billed and pending lines, voided invoice, amounts that are taken back. */
const CASES: readonly (readonly [string, readonly CreditableLine[], string, readonly number[]])[] = [
  ['nothing without a credit', [regular('in_1', 30)], 'in_1', []],
  ['a pending credit', [regular('in_1', 30), aLine(null, -30), aLine(null, 50)], 'in_1', [15]],
  ['a billed credit', [regular('in_1', 30), aLine('in_2', -30), aLine('in_2', 50)], 'in_1', [15]],
  ['nothing of a void credit', [regular('in_1', 30), aLine('in_2', -30), aLine('in_2', 50)], 'in_2', []],
  [
    'only the part of a credit that exceeds the remaining invoices',
    [regular('in_1', 30), aLine('in_2', -30), aLine('in_2', 50), aLine(null, -50), aLine(null, 20)],
    'in_2',
    [10],
  ],
  [
    'one amount for two changes, of which the second credits the first',
    [regular('in_1', 30), aLine(null, -30), aLine(null, 50), aLine(null, -50), aLine(null, 30)],
    'in_1',
    [15],
  ],
  [
    'nothing of a credit that was already taken back',
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
  [
    'the rest of a credit that a void decrease made smaller',
    [regular('in_1', 80), aLine('in_2', -80), aLine('in_2', 20), aLine('in_3', -20), aLine('in_3', 80)],
    'in_2',
    [-30],
  ],
  [
    'the charge for a period that is paid already when a removal becomes void',
    [regular('in_1', 80), aLine('in_2', -80), aLine('in_3', 80)],
    'in_2',
    [-40],
  ],
  [
    'a credit again when its withdrawal becomes void',
    [aLine('in_2', -30), withdrawn('in_3', 15)],
    'in_3',
    [15],
  ],
]

for (const [expected, billed, voided, amounts] of CASES) {
  test(`a voided invoice withdraws ${expected}`, () => {
    assert.equal(
      createCreditCorrections(billed, voided).map(({ amount }) => amount),
      amounts,
    )
  })
}

test('a withdrawn credit keeps its description, tax rate and period', () => {
  const taxed = { tax_percent: 19 }
  const billed = [{ ...regular('in_1', 30), ...taxed }, aLine(null, -30, taxed)]
  assert.equal(createCreditCorrections(billed, 'in_1'), [
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

test('rounds the remaining part of a credit half up', () => {
  const lines = [regular('in_1', 1), aLine('in_2', -1), aLine('in_2', 4), aLine(null, -4)]
  assert.equal(
    createCreditCorrections(lines, 'in_2').map(({ amount }) => amount),
    [1],
  )
})

test('withdraws credits separately for each tax rate when a voided change had another rate', () => {
  const [low, high] = [{ tax_percent: 7 }, { tax_percent: 19 }]
  const billed = [
    { ...regular('in_1', 80), ...low },
    ...[aLine('in_2', -80, low), aLine('in_2', 80, high), aLine('in_3', -80, high), aLine('in_3', 20, high)],
  ]
  assert.equal(
    createCreditCorrections(billed, 'in_2').map(({ tax_percent, amount }) => [tax_percent, amount]),
    [
      [7, -40],
      [19, 40],
    ],
  )
})

test('the total charge does not depend on the order in which invoices are voided', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 2, maxLength: 6 }),
      fc.array(fc.nat({ max: 5 }), { maxLength: 5 }),
      (drawn, order) => {
        const quantities = drawn.filter((quantity, index) => quantity !== drawn[index - 1])
        const invoices = billChanges(quantities)
        const voided = [...new Set(order)].filter((index) => index < invoices.length)
        const pending: CreditableLine[] = []
        const left = [...invoices]
        for (const index of voided) {
          const billed = [...left.flat(), ...pending]
          left[index] = []
          pending.push(
            ...createCreditCorrections(billed, `in_${index}`).map((line) => ({ ...line, invoice: null })),
          )
        }
        const total = sumOf([...left.flat(), ...pending])
        assert.is(total, sumOf(billChanges(quantities, voided).flat()))
      },
    ),
    { seed: 39, numRuns: 500 },
  )
})

/** Returns an invoice per quantity of an item in a period. Void invoices are empty, and later changes ignore them. */
function billChanges(quantities: readonly number[], voided: readonly number[] = []): CreditableLine[][] {
  const length = MONTH.end - MONTH.start
  let billed: number | null = null
  return quantities.map((quantity, index) => {
    const period = { start: MONTH.start + (length * index) / quantities.length, end: MONTH.end }
    const line = (price: number) =>
      aLine(`in_${index}`, price, {
        period,
        proration: index > 0,
        amount: (price * (period.end - period.start)) / length,
      })
    const credit = billed === null || billed === 0 ? [] : [line(-billed)]
    if (voided.includes(index)) return []
    billed = quantity * 60
    return index > 0 && billed === 0 ? credit : [...credit, line(billed)]
  })
}

const sumOf = (lines: readonly CreditableLine[]) => lines.reduce((sum, { amount }) => sum + amount, 0)

test('ignores one-off fees and credits', () => {
  const lines = [
    aLine('in_1', 30, { subscription_item: null }),
    aLine(null, -30, { subscription_item: null }),
  ]
  assert.equal(createCreditCorrections(lines, 'in_1'), [])
})

test.run()
