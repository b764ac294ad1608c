import {
  countAndSelectFault,
  type FaultTarget,
  matchesFault,
} from '../../../src/domain/faults/fault-matching.ts'
import {
  createFault,
  FAULT_TYPES_BY_KIND,
  type Fault,
  type FaultKind,
  type FaultParams,
} from '../../../src/domain/faults/faults.ts'
import { createRuleContext, START } from '../../support/rule-context.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/faults/fault-matching')

const context = createRuleContext()

function newFault(fields: FaultParams): Fault {
  return createFault(fields, context).after
}

const POINTS: Readonly<Record<FaultKind, FaultTarget>> = {
  request: { kind: 'request', operation: 'payment_sessions.create', customer: 'cus_1' },
  delivery: {
    kind: 'delivery',
    event_type: 'payment.succeeded',
    webhook_endpoint: 'we_1',
    customer: 'cus_1',
  },
  payment: { kind: 'payment', customer: 'cus_1' },
}
const KINDS = Object.keys(POINTS) as FaultKind[]

for (const kind of KINDS) {
  for (const type of FAULT_TYPES_BY_KIND[kind]) {
    test(`${type} matches ${kind} points only`, () => {
      const fault = newFault({ type })
      const matched = KINDS.filter((one) => matchesFault(fault, POINTS[one], START))
      assert.equal(matched, [kind])
    })
  }
}

/** Columns: kind of the fault, `match` with one field, whether it matches the point of that kind. */
const MATCHES: readonly (readonly [kind: FaultKind, match: FaultParams['match'], isMatch: boolean])[] = [
  ['request', { operation: 'payment_sessions.create' }, true],
  ['request', { operation: 'payment_sessions.*' }, true],
  ['request', { operation: '*.create' }, true],
  ['request', { operation: 'payment_sessions' }, false],
  ['request', { operation: 'payments.*' }, false],
  ['request', { customer: 'cus_1' }, true],
  ['request', { customer: 'cus_2' }, false],
  ['request', { operation: '*', customer: 'cus_2' }, false],
  ['delivery', { event_type: 'payment.succeeded' }, true],
  ['delivery', { event_type: 'payment.*' }, true],
  ['delivery', { event_type: 'payment' }, false],
  ['delivery', { webhook_endpoint: 'we_1' }, true],
  ['delivery', { webhook_endpoint: 'we_2' }, false],
  ['delivery', { event_type: 'payment.*', webhook_endpoint: 'we_2' }, false],
  ['delivery', { event_type: 'invoice.*', webhook_endpoint: 'we_1' }, false],
  ['delivery', { customer: 'cus_2' }, false],
  ['payment', { customer: 'cus_1' }, true],
  ['payment', { customer: 'cus_2' }, false],
]

for (const [kind, match, isMatch] of MATCHES) {
  test(`${JSON.stringify(match)} ${isMatch ? 'matches' : 'does not match'} a ${kind}`, () => {
    for (const type of FAULT_TYPES_BY_KIND[kind]) {
      const fault = newFault({ type, ...(match && { match }) })
      assert.is(matchesFault(fault, POINTS[kind], START), isMatch, type)
    }
  })
}

test('a fault for one customer does not match a request, delivery or payment without a customer', () => {
  const match = { customer: 'cus_1' }
  for (const type of ['error', 'hold', 'decline'] as const) {
    const [kind] = KINDS.filter((one) => matchesFault(newFault({ type }), POINTS[one], START))
    assert.ok(kind)
    assert.is(matchesFault(newFault({ type, match }), { ...POINTS[kind], customer: null }, START), false)
  }
})

test('a fault ends in the second of expires_at, and then counts no further matches', () => {
  const fault = newFault({ type: 'decline', expires_at: START + 10 })
  assert.is(matchesFault(fault, POINTS.payment, START + 9), true)
  assert.is(matchesFault(fault, POINTS.payment, START + 10), false)
  assert.equal(countAndSelectFault([fault], POINTS.payment, START + 10), { fault: null, changes: [] })
})

/** Claims a point several times, and returns for each claim whether the fault applied. */
function claimTimes(
  fields: FaultParams,
  count: number,
): { readonly applied: boolean[]; readonly fault: Fault } {
  let fault = newFault(fields)
  const applied: boolean[] = []
  for (let at = 0; at < count; at += 1) {
    const claim = countAndSelectFault([fault], POINTS.payment, START)
    applied.push(claim.fault !== null)
    fault = claim.changes[0]?.after ?? fault
  }
  return { applied, fault }
}

const LIMITS: readonly (readonly [limits: Partial<FaultParams>, applied: string])[] = [
  [{}, 'yyyyyy'],
  [{ skip: 2 }, '--yyyy'],
  [{ times: 2 }, 'yy----'],
  [{ skip: 1, times: 2 }, '-yy---'],
  [{ skip: 6 }, '------'],
  [{ probability: 100 }, 'yyyyyy'],
]

for (const [limits, expected] of LIMITS) {
  test(`${JSON.stringify(limits)} selects ${expected} of six matches`, () => {
    const { applied, fault } = claimTimes({ type: 'decline', ...limits }, expected.length)
    assert.is(applied.map((one) => (one ? 'y' : '-')).join(''), expected)
    const count = expected.replaceAll('-', '').length
    assert.equal([fault.matched, fault.applied], [expected.length, count])
  })
}

test('the same seed selects the same matches, and another seed selects other matches', () => {
  const select = (seed: string) => claimTimes({ type: 'decline', probability: 40, seed }, 200).applied
  assert.equal(select('a'), select('a'))
  assert.not.equal(select('a'), select('b'))
})

test('a given seed selects the same matches in every version', () => {
  const { applied } = claimTimes({ type: 'decline', probability: 50, seed: '7' }, 24)
  assert.is(applied.map((one) => (one ? 'y' : '-')).join(''), '--yy---y-yy------y-y--yy')
})

for (const probability of [1, 10, 50, 90, 99]) {
  test(`probability ${probability} applies to about ${probability} % of 4000 matches`, () => {
    const { applied } = claimTimes({ type: 'decline', probability, seed: 'share' }, 4000)
    const share = (applied.filter((one) => one).length / 4000) * 100
    assert.ok(Math.abs(share - probability) < 3, `${share} %`)
  })
}

test('times limits the number of applied matches, not of matches that the probability skipped', () => {
  const { applied, fault } = claimTimes({ type: 'decline', probability: 50, seed: 'a', times: 5 }, 100)
  assert.is(applied.filter((one) => one).length, 5)
  assert.equal([fault.matched, fault.applied], [100, 5])
})

test('every matching fault counts the match, and only the first fault that selects the match applies', () => {
  const [skipping, first, second] = [
    newFault({ type: 'hold', skip: 1 }),
    newFault({ type: 'duplicate', times: 1 }),
    newFault({ type: 'swap' }),
  ]
  const other = newFault({ type: 'swap', match: { event_type: 'invoice.*' } })
  const { fault, changes } = countAndSelectFault([skipping, first, second, other], POINTS.delivery, START)
  assert.equal(fault, { ...first, matched: 1, applied: 1 })
  assert.equal(
    changes.map(({ after }) => [after.id, after.matched, after.applied]),
    [
      [skipping.id, 1, 0],
      [first.id, 1, 1],
      [second.id, 1, 0],
    ],
  )
  const next = countAndSelectFault(
    changes.map(({ after }) => after),
    POINTS.delivery,
    START,
  )
  assert.is(next.fault?.id, skipping.id)
})

test('without a matching fault, no fault applies and no count changes', () => {
  assert.equal(countAndSelectFault([], POINTS.payment, START), { fault: null, changes: [] })
  const fault = newFault({ type: 'hold' })
  assert.equal(countAndSelectFault([fault], POINTS.payment, START), { fault: null, changes: [] })
})

test.run()
