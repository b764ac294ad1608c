import { createFault, type Fault, type FaultParams } from '../../../src/domain/faults/faults.ts'
import { createCountingIssuerFaults } from '../../../src/domain/faults/issuer-faults.ts'
import { createRuleContext, START } from '../../support/rule-context.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/faults/issuer-faults')

function rules(...fields: FaultParams[]): Fault[] {
  const context = createRuleContext()
  return fields.map((each) => createFault(each, context).after)
}

/** Columns: fault, decision about a charge that cannot wait for its issuer, decision about a charge that can wait. */
const DECISIONS: readonly (readonly [FaultParams, unknown, unknown])[] = [
  ...(['decline', 'issuer_unavailable'] as const).map((type) => {
    const decision =
      type === 'decline'
        ? { kind: 'decline', code: 'card_declined', decline_code: 'generic_decline' }
        : { kind: 'decline', code: 'processing_error', decline_code: null }
    return [{ type }, decision, decision] as const
  }),
  [
    { type: 'decline', decline_code: 'lost_card' },
    { kind: 'decline', code: 'card_declined', decline_code: 'lost_card' },
    { kind: 'decline', code: 'card_declined', decline_code: 'lost_card' },
  ],
  [{ type: 'processing' }, null, { kind: 'slow', seconds: 3 }],
  [{ type: 'processing', delay_ms: 1 }, null, { kind: 'slow', seconds: 1 }],
  [{ type: 'processing', delay_ms: 1000 }, null, { kind: 'slow', seconds: 1 }],
  [{ type: 'processing', delay_ms: 1001 }, null, { kind: 'slow', seconds: 2 }],
  [{ type: 'processing', delay_ms: 60_000 }, null, { kind: 'slow', seconds: 60 }],
  [{ type: 'drop_attempt' }, null, null],
  [{ type: 'drop_request' }, null, null],
  [{ type: 'decline', match: { customer: 'cus_2' } }, null, null],
  [{ type: 'decline', expires_at: START }, null, null],
]

for (const [fields, immediate, waiting] of DECISIONS) {
  test(`the fault ${JSON.stringify(fields)} decides as expected and counts only its matches`, () => {
    const faults = rules(fields)
    const withoutDelay = createCountingIssuerFaults(faults, START)
    assert.equal(withoutDelay.decide('cus_1'), immediate)
    assert.is(withoutDelay.changes().length, immediate === null ? 0 : 1)
    const withDelay = createCountingIssuerFaults(faults, START)
    assert.equal(withDelay.decideOrDelay('cus_1'), waiting)
    assert.is(withDelay.changes().length, waiting === null ? 0 : 1)
  })
}

test('a later charge of the same run uses the counts of the earlier charge', () => {
  const faults = createCountingIssuerFaults(rules({ type: 'decline', skip: 1, times: 1 }), START)
  const kinds = [1, 2, 3].map(() => faults.decide('cus_1')?.kind ?? 'none')
  assert.equal(kinds, ['none', 'decline', 'none'])
  const after = faults.changes().at(-1)?.after
  assert.equal([after?.matched, after?.applied], [3, 1])
})

test('a new run starts from the stored counts', () => {
  const stored = rules({ type: 'decline', times: 1 })
  for (const _ of [1, 2])
    assert.is(createCountingIssuerFaults(stored, START).decide('cus_1')?.kind, 'decline')
  assert.equal([stored[0]?.matched, stored[0]?.applied], [0, 0])
})

test('the oldest applicable fault decides, and every match counts', () => {
  const faults = createCountingIssuerFaults(
    rules({ type: 'issuer_unavailable', times: 1 }, { type: 'decline' }),
    START,
  )
  const codes = [1, 2].map(() => {
    const decision = faults.decide('cus_1')
    return decision?.kind === 'decline' ? decision.code : 'none'
  })
  assert.equal(codes, ['processing_error', 'card_declined'])
  const counts = new Map(
    faults.changes().map(({ after }) => [after.type, `${after.matched}/${after.applied}`]),
  )
  assert.equal(
    [...counts],
    [
      ['issuer_unavailable', '2/1'],
      ['decline', '2/1'],
    ],
  )
})

test.run()
