import { toCreation, toDeletion, toRemoval, toUpdate } from '../../../src/domain/core/changes.ts'
import { EVENT_TYPES } from '../../../src/domain/core/event-types.ts'
import {
  computePreviousAttributes,
  isEventEnabled,
  isValidEventPattern,
  toEvent,
} from '../../../src/domain/events/events.ts'
import { aCustomer } from '../../support/domain-samples.ts'
import { createRuleContext, START } from '../../support/rule-context.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/events/events')

const stored = (fields: object) => ({ id: 'x_1', object: 'thing', ...fields })

/** Columns: before, after, previous attributes. */
const CHANGES: readonly (readonly [before: object, after: object, previous: object])[] = [
  [{ a: 1 }, { a: 1 }, {}],
  [{ a: 1 }, { a: 2 }, { a: 1 }],
  [{ a: null }, { a: 0 }, { a: null }],
  [{ a: [1, 2], b: 1 }, { a: [1, 3], b: 1 }, { a: [1, 2] }],
  [{ a: { b: 1, c: 2 } }, { a: { b: 1, c: 3 } }, { a: { b: 1, c: 2 } }],
  [
    { a: 1, b: 2 },
    { a: 3, b: 4 },
    { a: 1, b: 2 },
  ],
]

for (const [before, after, previous] of CHANGES) {
  test(`a change from ${JSON.stringify(before)} to ${JSON.stringify(after)} has the previous attributes ${JSON.stringify(previous)}`, () => {
    assert.equal(computePreviousAttributes(stored(before), stored(after)), previous)
    assert.equal(
      { ...stored(after), ...computePreviousAttributes(stored(before), stored(after)) },
      stored(before),
    )
  })
}

test('the event of a creation has the object and no previous attributes', () => {
  const context = createRuleContext()
  const customer = aCustomer(context)
  const event = toEvent(
    toCreation('customer.created', customer),
    { id: 'req_1', idempotency_key: 'k' },
    context,
  )
  assert.equal(event, {
    id: event?.id,
    object: 'event',
    type: 'customer.created',
    api_version: '1',
    created: START,
    livemode: false,
    data: { object: customer },
    pending_webhooks: 0,
    request: { id: 'req_1', idempotency_key: 'k' },
    sequence: 0,
    test_clock: null,
  })
})

test('the event of a change contains the new object and its previous attributes', () => {
  const context = createRuleContext()
  const customer = aCustomer(context)
  const after = { ...customer, name: null }
  const event = toEvent(toUpdate('customer.updated', customer, after), null, context)
  assert.equal(event?.data, { object: after, previous_attributes: { name: 'Ada' } })
})

test('the event of a deletion has the last state and empty previous attributes', () => {
  const context = createRuleContext()
  const customer = aCustomer(context)
  const event = toEvent(toDeletion(customer), null, context)
  assert.equal(event?.data, { object: customer, previous_attributes: {} })
})

test('returns no event for a record type without events', () => {
  const context = createRuleContext()
  assert.is(toEvent(toCreation(null, stored({})), null, context), null)
  assert.is(toEvent(toRemoval(stored({})), null, context), null)
})

test('an event has the time and test clock of its object', () => {
  const context = { ...createRuleContext(START - 500), wallNow: START }
  const object = { ...aCustomer(context), test_clock: 'clock_1' }
  const event = toEvent(toCreation('customer.created', object), null, context)
  assert.equal([event?.created, event?.test_clock], [START - 500, 'clock_1'])
})

/** Columns: type, pattern, whether it matches. */
const MATCHES = `
  invoice.paid                invoice.paid               yes
  invoice.paid                *                          yes
  invoice.paid                invoice.*                  yes
  invoice.paid                invoice.created            no
  invoice.paid                invoice                    no
  invoice.paid                inv*                       no
  invoice.paid                *.paid                     no
  invoice.paid                .*                         no
  payment.created             payment.*                  yes
  payment_session.created     payment.*                  no
  payment_method.attached     payment.*                  no
  payment_session.created     payment_session.*          yes
  checkout_session.completed  checkout_session.complete  no
`

for (const line of MATCHES.trim().split('\n')) {
  const [type = '', pattern = '', isMatch] = line.trim().split(/\s+/)
  test(`${pattern} ${isMatch === 'yes' ? 'matches' : 'does not match'} ${type}`, () => {
    const known = EVENT_TYPES.find((each) => each === type)
    assert.is(known !== undefined && isEventEnabled(known, [pattern]), isMatch === 'yes')
  })
}

test('an event type matches a list when any of its patterns matches, and never matches an empty list', () => {
  assert.ok(isEventEnabled('invoice.paid', ['customer.*', 'invoice.paid']))
  assert.not(isEventEnabled('invoice.paid', []))
})

test('a pattern is valid when it matches an event type', () => {
  for (const pattern of ['*', 'invoice.paid', 'invoice.*', 'payment.*', 'refund.*'])
    assert.ok(isValidEventPattern(pattern), pattern)
  for (const pattern of ['', '**', 'invoice', 'invoice.', 'voucher.*', 'Invoice.paid', '.*', '*.*']) {
    assert.not(isValidEventPattern(pattern), pattern)
  }
})

test('event types are unique and have the form object.action', () => {
  for (const type of EVENT_TYPES) assert.match(type, /^[a-z]+(_[a-z]+)?\.[a-z]+(_[a-z]+)*$/)
  assert.is(new Set(EVENT_TYPES).size, EVENT_TYPES.length)
})

test.run()
