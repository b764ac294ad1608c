import { type Advance, endOfAdvance, noteAdvance } from '../../src/domain/advances.ts'
import { createTestClock } from '../../src/domain/test-clocks.ts'
import { createRuleContext } from '../support/rule-context.ts'
import { START } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('domain/advances')

const clock = createTestClock({ frozen_time: START }, createRuleContext()).after
const request = { id: 'req_1', idempotency_key: 'k' }
const keyed = { id: 'idem_1', fingerprint: 'f1', used_at: START }

function noted(asking: Parameters<typeof noteAdvance>[1]): Advance {
  return noteAdvance(clock, asking).after as Advance
}

test('who moves a clock is noted under the id of the clock, without an event', () => {
  const change = noteAdvance(clock, { request, keyed })
  assert.equal(change, {
    event: null,
    before: null,
    after: { id: clock.id, object: 'advance', request, keyed },
  })
})

test('a clock that stands still again is the answer of its key', () => {
  const [gone, used, ...more] = endOfAdvance(noted({ request, keyed }), clock)
  assert.is(gone?.after, null)
  assert.equal(used?.after, {
    ...keyed,
    object: 'idempotency_key',
    answer: { status: 200, body: JSON.stringify(clock), is_sealed: false, request: 'req_1' },
  })
  assert.equal(more, [])
})

test('a clock that broke leaves the key free', () => {
  const ended = endOfAdvance(noted({ request, keyed }), null)
  assert.equal(
    ended.map(({ before, after }) => [before?.object, before?.id, after]),
    [
      ['advance', clock.id, null],
      ['idempotency_key', keyed.id, null],
    ],
  )
})

test('without a key only the note goes, and without a note nothing', () => {
  for (const ended of [clock, null]) {
    const changes = endOfAdvance(noted({ request, keyed: null }), ended)
    assert.equal(
      changes.map(({ before, after }) => [before?.object, after]),
      [['advance', null]],
    )
    assert.equal(endOfAdvance(null, ended), [])
  }
})

test.run()
