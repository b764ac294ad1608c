import { findDeliveriesWithoutEffect } from '../../../../src/cli/explore/compare/delivery-effects.ts'
import { learnNoise } from '../../../../src/cli/explore/compare/noise.ts'
import type { RunRecord } from '../../../../src/cli/explore/model/run-record.ts'
import { assert, suite } from '../../../support/suite.ts'
import { deliveryWith, recordWith, requestWith } from '../sample-runs.ts'

const test = suite('cli/explore/delivery-effects')

const NO_NOISE = learnNoise([])
const TYPES = ['customer.created', 'payment.created', 'payment.succeeded', 'invoice.created', 'invoice.paid']

/** Returns a run whose app prints the given states before the scenario and after each delivery. */
function runWithStates(states: readonly string[], { requestMs = 0, final = states.at(-1) ?? '' } = {}) {
  const deliveries = TYPES.map((type, index) => deliveryWith({ type, atMs: 100 * index }))
  const points = deliveries.map(({ point }) => (point.kind === 'delivery' ? point : null))
  return recordWith({
    ...{ deliveries, requests: requestMs === 0 ? [] : [requestWith({ atMs: requestMs })] },
    states: states.map((observation, index) => ({ observation, after: points[index - 1] ?? null })),
    outcome: { observation: final },
  })
}

function typesWithoutEffect(...records: readonly RunRecord[]): string[] {
  return findDeliveriesWithoutEffect(records, NO_NOISE).map(({ event_type }) => event_type)
}

test('returns the deliveries that neither change the state nor cause a request', () => {
  const changed = runWithStates(['a', 'a', 'a', 'a', 'a', 'b'])
  // The app may work later, so a change may also belong to the delivery before.
  assert.equal(typesWithoutEffect(changed), TYPES.slice(0, 3))
  assert.equal(
    typesWithoutEffect(runWithStates(['a', 'a', 'a', 'a', 'a', 'a'], { requestMs: 150 })),
    TYPES.slice(2),
  )
})

test('returns only deliveries without effect in each run', () => {
  const [first, second] = [
    ['a', 'a', 'a', 'a', 'a', 'b'],
    ['a', 'b', 'b', 'b', 'b', 'b'],
  ] as const
  assert.equal(typesWithoutEffect(runWithStates(first), runWithStates(second)), TYPES.slice(1, 3))
})

test('returns no delivery if the app works after the last, and none that was not observed', () => {
  assert.equal(typesWithoutEffect(runWithStates(['a', 'a', 'a', 'a', 'a', 'a'], { final: 'b' })), [])
  assert.equal(typesWithoutEffect(runWithStates(['a', 'a', 'a', 'a'], { final: 'b' })), TYPES.slice(0, 1))
  assert.equal(typesWithoutEffect(recordWith()), [])
})

test.run()
