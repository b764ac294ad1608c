import { type Advance, finishAdvanceRequest, recordAdvance } from '../../src/domain/advances.ts'
import { createTestClock } from '../../src/domain/test-clocks.ts'
import { createRuleContext, START } from '../support/rule-context.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('domain/advances')

const clock = createTestClock({ frozen_time: START }, createRuleContext()).after
const request = { id: 'req_1', idempotency_key: 'k' }
const keyed = { id: 'idem_1', fingerprint: 'f1', used_at: START }

function recorded(clockRequest: Parameters<typeof recordAdvance>[1]): Advance {
  return recordAdvance(clock, clockRequest).after as Advance
}

test('stores the request of an advance under the id of the clock, without an event', () => {
  const change = recordAdvance(clock, { request, keyed })
  assert.equal(change, {
    event: null,
    before: null,
    after: { id: clock.id, object: 'advance', request, keyed },
  })
})

test('stores the advanced clock as the response of the idempotency key', () => {
  const [removed, key, ...more] = finishAdvanceRequest(recorded({ request, keyed }), clock)
  assert.is(removed?.after, null)
  assert.equal(key?.after, {
    ...keyed,
    object: 'idempotency_key',
    answer: { status: 200, body: JSON.stringify(clock), is_sealed: false, request: 'req_1' },
  })
  assert.equal(more, [])
})

test('deletes the idempotency key of an advance when the clock has failed', () => {
  const ended = finishAdvanceRequest(recorded({ request, keyed }), null)
  assert.equal(
    ended.map(({ before, after }) => [before?.object, before?.id, after]),
    [
      ['advance', clock.id, null],
      ['idempotency_key', keyed.id, null],
    ],
  )
})

test('deletes only the advance if it has no idempotency key, and nothing without an advance', () => {
  for (const ended of [clock, null]) {
    const changes = finishAdvanceRequest(recorded({ request, keyed: null }), ended)
    assert.equal(
      changes.map(({ before, after }) => [before?.object, after]),
      [['advance', null]],
    )
    assert.equal(finishAdvanceRequest(null, ended), [])
  }
})

test.run()
