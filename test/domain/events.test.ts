import { creation, mutation, removal } from '../../src/domain/changes.ts'
import { customerDeleted, updateCustomer } from '../../src/domain/customers.ts'
import { EVENT_TYPES } from '../../src/domain/event-types.ts'
import { eventOf, isEventPattern, isEventWanted, previousAttributes } from '../../src/domain/events.ts'
import { aCustomer } from '../support/domain-samples.ts'
import { createRuleContext, START } from '../support/rule-context.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('domain/events')

const stored = (fields: object) => ({ id: 'x_1', object: 'thing', ...fields })

/** before, after, what was */
const PASTS: readonly (readonly [before: object, after: object, was: object])[] = [
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

for (const [before, after, was] of PASTS) {
  test(`from ${JSON.stringify(before)} to ${JSON.stringify(after)} the past is ${JSON.stringify(was)}`, () => {
    assert.equal(previousAttributes(stored(before), stored(after)), was)
    assert.equal({ ...stored(after), ...previousAttributes(stored(before), stored(after)) }, stored(before))
  })
}

test('a creation tells the object and no past', () => {
  const context = createRuleContext()
  const customer = aCustomer(context)
  const event = eventOf(
    creation('customer.created', customer),
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
    test_clock: null,
  })
})

test('a mutation tells the object after it and what it had been', () => {
  const context = createRuleContext()
  const customer = aCustomer(context)
  const after = updateCustomer(customer, { name: null })
  const event = eventOf(mutation('customer.updated', customer, after), null, context)
  assert.equal(event?.data, { object: after, previous_attributes: { name: 'Ada' } })
})

test('a deletion tells the last full state with an empty past', () => {
  const context = createRuleContext()
  const customer = aCustomer(context)
  const event = eventOf(customerDeleted(customer), null, context)
  assert.equal(event?.data, { object: customer, previous_attributes: {} })
})

test('what has no event of its own tells none', () => {
  const context = createRuleContext()
  assert.is(eventOf(creation(null, stored({})), null, context), null)
  assert.is(eventOf(removal(stored({})), null, context), null)
})

test('an event is told in the time of its object', () => {
  const context = { ...createRuleContext(START - 500), wallNow: START }
  const object = { ...aCustomer(context), test_clock: 'clock_1' }
  const event = eventOf(creation('customer.created', object), null, context)
  assert.equal([event?.created, event?.test_clock], [START - 500, 'clock_1'])
})

/** type, pattern, wanted */
const WANTED = `
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

for (const line of WANTED.trim().split('\n')) {
  const [type = '', pattern = '', wanted] = line.trim().split(/\s+/)
  test(`${pattern} ${wanted === 'yes' ? 'wants' : 'does not want'} ${type}`, () => {
    const known = EVENT_TYPES.find((each) => each === type)
    assert.is(known !== undefined && isEventWanted(known, [pattern]), wanted === 'yes')
  })
}

test('several patterns want what any of them wants, none want nothing', () => {
  assert.ok(isEventWanted('invoice.paid', ['customer.*', 'invoice.paid']))
  assert.not(isEventWanted('invoice.paid', []))
})

test('a pattern is one that can ever match', () => {
  for (const pattern of ['*', 'invoice.paid', 'invoice.*', 'payment.*', 'refund.*'])
    assert.ok(isEventPattern(pattern), pattern)
  for (const pattern of ['', '**', 'invoice', 'invoice.', 'dispute.*', 'Invoice.paid', '.*', '*.*']) {
    assert.not(isEventPattern(pattern), pattern)
  }
})

test('types are named as an object and what befell it, each once', () => {
  for (const type of EVENT_TYPES) assert.match(type, /^[a-z]+(_[a-z]+)?\.[a-z]+(_[a-z]+)*$/)
  assert.is(new Set(EVENT_TYPES).size, EVENT_TYPES.length)
})

test.run()
