import { alternatingCounter, countUp, INVOICE_COUNTER } from '../../src/domain/counters.ts'
import { alternate } from '../../src/domain/test-cards.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('domain/counters')

test('a counter begins with one and counts on, without an event', () => {
  const first = countUp(null, INVOICE_COUNTER)
  const one = { id: 'invoice_number', object: 'counter', value: 1 }
  assert.equal(first, { event: null, before: null, after: one })
  assert.equal(countUp(first.after, INVOICE_COUNTER), {
    event: null,
    before: one,
    after: { ...one, value: 2 },
  })
})

test('each customer has a count of alternating charges, apart from the invoices', () => {
  const ids = [alternatingCounter('cus_1'), alternatingCounter('cus_2'), INVOICE_COUNTER]
  assert.is(new Set(ids).size, 3)
})

test('an alternating card approves the first charge, declines the second, and so on', () => {
  const answers = [0, 1, 2, 3, 4, 1001].map((charges) => alternate(charges).kind)
  assert.equal(answers, ['approve', 'decline', 'approve', 'decline', 'approve', 'decline'])
  assert.equal(alternate(1), { kind: 'decline', code: 'card_declined', decline_code: 'generic_decline' })
})

test.run()
