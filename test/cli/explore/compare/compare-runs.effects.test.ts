import { createBaseline } from '../../../../src/cli/explore/compare/compare-runs.ts'
import type { RunRecord } from '../../../../src/cli/explore/model/run-record.ts'
import { assert, suite } from '../../../support/suite.ts'
import { deliveryWith, recordWith, requestWith } from '../sample-runs.ts'

const test = suite('cli/explore/compare-runs.effects')

const TYPES = ['customer.created', 'payment.created', 'payment.succeeded', 'invoice.created', 'invoice.paid']

/** Returns a run whose app prints the given states before the scenario and after each delivery. */
function runWithStates(
  states: readonly string[],
  { requestMs = 0, final = states.at(-1) ?? null }: { requestMs?: number; final?: string | null } = {},
) {
  const deliveries = TYPES.map((type, index) => deliveryWith({ type, atMs: 100 * index }))
  const points = deliveries.map(({ point }) => (point.kind === 'delivery' ? point : null))
  return recordWith({
    ...{ deliveries, requests: requestMs === 0 ? [] : [requestWith({ atMs: requestMs })] },
    states: states.map((observation, index) => ({ observation, after: points[index - 1] ?? null })),
    outcome: { observation: final },
  })
}

const UNCHANGED = ['a', 'a', 'a', 'a', 'a', 'a']

function effectiveTypes(...records: readonly [RunRecord, ...RunRecord[]]): string[] {
  const { effectiveTypes: types } = createBaseline(records)
  return TYPES.filter((type) => types.has(type))
}

test('events before a change of the state or before a request may have an effect', () => {
  // The app may work later, so a change may also belong to the delivery before.
  assert.equal(effectiveTypes(runWithStates(['a', 'a', 'a', 'a', 'a', 'b'])), TYPES.slice(3))
  assert.equal(effectiveTypes(runWithStates(UNCHANGED, { requestMs: 150 })), TYPES.slice(0, 2))
  assert.equal(effectiveTypes(runWithStates(UNCHANGED)), [])
})

test('an event with an effect in one of several runs may have an effect', () => {
  const first = runWithStates(['a', 'a', 'a', 'a', 'a', 'b'])
  assert.equal(effectiveTypes(first, runWithStates(['a', 'b', 'b', 'b', 'b', 'b'])), [
    ...TYPES.slice(0, 1),
    ...TYPES.slice(3),
  ])
  // A run that confirms a finding records no states.
  assert.equal(effectiveTypes(first, runWithStates([], { final: 'b' })), TYPES.slice(3))
})

test('events that are not observed, or before late work of the app, may have an effect', () => {
  assert.equal(effectiveTypes(runWithStates(UNCHANGED, { final: 'b' })), TYPES)
  assert.equal(effectiveTypes(runWithStates(['a', 'a', 'a', 'a'], { final: 'b' })), TYPES.slice(1))
  assert.equal(effectiveTypes(runWithStates([])), TYPES)
})

test.run()
