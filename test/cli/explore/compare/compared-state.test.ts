import { createBaseline } from '../../../../src/cli/explore/compare/compare-runs.ts'
import { requireComparedStateChange } from '../../../../src/cli/explore/compare/compared-state.ts'
import { assert, suite } from '../../../support/suite.ts'
import { recordWith } from '../sample-runs.ts'

const test = suite('cli/explore/compared-state')

/** A run without faults: the state before the scenario, states after its deliveries, and the state at its end. */
type States = readonly [before: string, ...later: string[]]

/** Returns the error and its hint for runs without faults with the given states, or an empty text. */
function errorOf(runs: readonly [States, ...States[]], expectation: number | null = null): string {
  const records = runs.map((states) =>
    recordWith({
      states: states.slice(0, -1).map((observation) => ({ after: null, observation })),
      outcome: { observation: states.at(-1) ?? null, expectation },
    }),
  )
  const [first = recordWith(), ...others] = records
  try {
    requireComparedStateChange(
      createBaseline([first, ...others]),
      (...flags) => `paycli explore ${flags.join(' ')}`,
    )
    return ''
  } catch (error) {
    return `${error} ${Object(error).hint}`
  }
}

test('accepts a state that the scenario changes at its end or at some time', () => {
  assert.is(errorOf([['[]', '["order-1"]']]), '')
  assert.is(errorOf([['', '["cart"]', '']]), '')
})

test('rejects a state that is empty, constant or an error page in every run', () => {
  for (const [state, shown] of [
    ['\n', 'nothing'],
    ['{"orders":[]}', '{"orders":[]}'],
    ['Cannot GET /debug', 'Cannot GET /debug'],
  ] as const) {
    const text = errorOf([
      [state, state, state],
      [state, state],
    ])
    assert.ok(text.includes(`does not change the observed state (${shown})`), text)
    assert.match(text, 'paycli explore --allow-unchanged')
  }
})

test('rejects a state of which only values change that differ between runs without faults', () => {
  const text = errorOf([
    ['{"status":"ok","orders":[]}', '{"status":"ok","orders":["a"]}'],
    ['{"status":"ok","orders":["a"]}', '{"status":"ok","orders":["a","a"]}'],
  ])
  assert.match(text, /ignored \(orders\.length\).* paycli explore --reset rm -f <database of the app>/s)
})

test('rejects a missing observation, unless --expect compares the state', () => {
  const record = recordWith({ outcome: { observation: null } })
  const check = (expectation: number | null) => () =>
    requireComparedStateChange(
      createBaseline([{ ...record, outcome: { ...record.outcome, expectation } }]),
      (...flags) => flags.join(' '),
    )
  assert.throws(check(null), /--observe and --database are missing/)
  check(0)()
})

test.run()
