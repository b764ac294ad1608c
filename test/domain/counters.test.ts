import { alternatingCounterId, INVOICE_COUNTER_ID, incrementCounter } from '../../src/domain/counters.ts'
import { decideAlternately } from '../../src/domain/test-cards.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('domain/counters')

test('increments a counter from one, without an event', () => {
  const first = incrementCounter(null, INVOICE_COUNTER_ID)
  const one = { id: 'invoice_number', object: 'counter', value: 1 }
  assert.equal(first, { event: null, before: null, after: one })
  assert.equal(incrementCounter(first.after, INVOICE_COUNTER_ID), {
    event: null,
    before: one,
    after: { ...one, value: 2 },
  })
})

test('each customer has a separate counter of alternating charges', () => {
  const ids = [alternatingCounterId('cus_1'), alternatingCounterId('cus_2'), INVOICE_COUNTER_ID]
  assert.is(new Set(ids).size, 3)
})

test('the alternating card approves the first charge and declines the second', () => {
  const decisions = [0, 1, 2, 3, 4, 1001].map((charges) => decideAlternately(charges).kind)
  assert.equal(decisions, ['approve', 'decline', 'approve', 'decline', 'approve', 'decline'])
  assert.equal(decideAlternately(1), {
    kind: 'decline',
    code: 'card_declined',
    decline_code: 'generic_decline',
  })
})

test.run()
