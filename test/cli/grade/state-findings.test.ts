import type { SaleType } from '../../../src/cli/grade/customer-scenario.ts'
import type { CustomerCheck } from '../../../src/cli/grade/state-checks.ts'
import { evaluateStateField } from '../../../src/cli/grade/state-findings.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/grade/state-findings')

const STEP = ['paid', 'The amount is counted wrongly.', 'Count it.'] as const

interface SampleResponse {
  readonly sale?: SaleType
  readonly role?: string
  readonly actual: number
  readonly expected: number
  readonly hasReacted?: boolean
}

/** Evaluates wrong responses for the paid amounts of customers. */
function judge(responses: readonly SampleResponse[], sells?: readonly ['payments']) {
  const customerChecks = responses.map(
    ({ role = 'pays', sale = 'payments', actual, expected, hasReacted = true }): CustomerCheck => {
      const customer = { role, user: role, email: '', id: `cus_${role}`, sale } as const
      const wrong = { step: STEP, expected, actual }
      return {
        field: 'paid',
        customer,
        response: null,
        timeline: ['day 0'],
        hasReacted,
        value: actual,
        right: 0,
        wrong,
      }
    },
  )
  const config = { paid: '/paid', ...(sells && { sells }) }
  return evaluateStateField('paid', 'money', { customerChecks, counts: { access: 0, paid: 3 } }, config)
}

test('names the cause that the wrong number shows, else the cause of the step', () => {
  const problemOf = (response: SampleResponse) => judge([response]).findings[0]?.problem ?? ''
  assert.match(problemOf({ actual: 19.99, expected: 1999 }), 'counts major units')
  assert.match(problemOf({ actual: 1998, expected: 1999 }), 'rounds amounts')
  assert.match(problemOf({ role: 'pays-yen', actual: 50, expected: 5000 }), 'this currency has no cents')
  assert.match(
    problemOf({ actual: 999, expected: 1999 }),
    'The amount is counted wrongly. After "paid", it counts 999',
  )
})

test('reports the double count of invoices as one finding for all steps', () => {
  const twice = { sale: 'subscriptions', actual: 200, expected: 100 } as const
  const { findings } = judge([twice, { ...twice, role: 'renews' }, { actual: 200, expected: 100 }])
  assert.is(findings.length, 2)
  assert.match(
    findings[0]?.problem ?? '',
    'Each invoice is counted twice: at invoice.paid and at its payment.',
  )
  assert.match(findings[1]?.problem ?? '', 'The amount is counted wrongly.')
})

test('reports wrong states with the same cause once', () => {
  const { findings } = judge([
    { actual: 1, expected: 100 },
    { role: 'again', actual: 2, expected: 200 },
  ])
  assert.is(findings.length, 1)
  assert.match(findings[0]?.evidence.join('\n') ?? '', 'the same for again after "paid"')
  const many = judge(
    Array.from({ length: 6 }, (_, index) => ({ role: `c${index}`, actual: 1, expected: 1000 + index })),
  )
  assert.match(many.findings[0]?.evidence.join() ?? '', 'c3 after "paid" and 2 others')
})

test('reports a note for a sale type to which the app never reacts, unless `sells` requires it', () => {
  const silent = [{ actual: 0, expected: 1999, hasReacted: false }]
  const { findings, checks, notes } = judge(silent)
  assert.equal([findings, checks], [[], 0])
  assert.match(notes.join(), 'The app counted no money after any of the payments.')
  assert.is(judge(silent, ['payments']).findings.length, 1)
})

test.run()
