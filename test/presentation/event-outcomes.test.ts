import { combineOutcomes, getEventTypeOutcome } from '../../src/presentation/event-outcomes.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('presentation/event-outcomes')

test('returns good, bad or neutral as the outcome of an event type', () => {
  assert.equal(
    ['invoice.paid', 'payment.failed', 'customer.updated', 'unknown.event'].map(getEventTypeOutcome),
    ['good', 'bad', 'neutral', 'neutral'],
  )
  assert.is(combineOutcomes(['good', 'bad', 'neutral']), 'bad')
  assert.is(combineOutcomes(['neutral', 'good']), 'good')
  assert.is(combineOutcomes([]), 'neutral')
})

test.run()
