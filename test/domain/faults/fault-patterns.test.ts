import { FAULTABLE_OPERATIONS } from '../../../src/api/resources/faultable-operations.ts'
import { listFaultPatternErrors } from '../../../src/domain/faults/fault-patterns.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/faults/fault-patterns')

const OPERATIONS: readonly (readonly [glob: string, isKnown: boolean])[] = [
  ['payment_sessions.create', true],
  ['payment_sessions.*', true],
  ['*.create', true],
  ['*', true],
  ['webhook_endpoints.roll_secret', true],
  ['paymentSessions.create', false],
  ['payment_session.create', false],
  ['payment_sessions', false],
  ['payment_sessions.creat', false],
  ['faults.create', false],
  ['sandboxes.*', false],
  ['request_logs.list', false],
  ['', false],
]

for (const [operation, isKnown] of OPERATIONS) {
  test(`'${operation}' ${isKnown ? 'matches an operation' : 'matches no operation that can have faults'}`, () => {
    const errors = listFaultPatternErrors({ match: { operation } }, FAULTABLE_OPERATIONS)
    const expected = isKnown ? [] : [['operation_unknown', 'match[operation]']]
    assert.equal(
      errors.map(({ code, param }) => [code, param]),
      expected,
    )
  })
}

test('the error for an unknown operation lists the operations of its resource, or all resources', () => {
  const messageOf = (operation: string) =>
    listFaultPatternErrors({ match: { operation } }, FAULTABLE_OPERATIONS)[0]?.message ?? ''
  assert.match(messageOf('refunds.delete'), 'There are refunds.create, refunds.list, refunds.retrieve.')
  assert.match(messageOf('refund.create'), 'The resources are customers, checkout_sessions,')
})

const EVENT_TYPES: readonly (readonly [glob: string, isKnown: boolean])[] = [
  ['payment.succeeded', true],
  ['payment.*', true],
  ['*.created', true],
  ['payment.succeed', false],
  ['payments.*', false],
]

for (const [event_type, isKnown] of EVENT_TYPES) {
  test(`'${event_type}' ${isKnown ? 'matches an event type' : 'matches no event type'}`, () => {
    const errors = listFaultPatternErrors({ match: { event_type } }, FAULTABLE_OPERATIONS)
    const expected = isKnown ? [] : [['event_type_unknown', 'match[event_type]']]
    assert.equal(
      errors.map(({ code, param }) => [code, param]),
      expected,
    )
  })
}

test('ignores values of other types, which the schema rejects', () => {
  for (const match of [undefined, null, 7, { operation: 7, event_type: null }, {}]) {
    assert.equal(listFaultPatternErrors({ match } as object, FAULTABLE_OPERATIONS), [])
  }
})

test.run()
