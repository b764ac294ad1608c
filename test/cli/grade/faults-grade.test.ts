import { UsageError } from '../../../src/cli/errors/usage-error.ts'
import type { ScenarioRunner } from '../../../src/cli/explore/model/run-record.ts'
import { gradeFaults } from '../../../src/cli/grade/faults-grade.ts'
import { assert, suite } from '../../support/suite.ts'
import { createShop, limitTime, type ShopBugs } from '../explore/simulated-shop.ts'

const test = suite('cli/grade/faults-grade')

/** Grades a simulated shop, and returns the number of checks and the findings of each class. */
async function grade(bugs: ShopBugs, timeMs = 60_000, endMs = Infinity) {
  const shop = limitTime(createShop(bugs), endMs)
  // The scenario changes the observation.
  const states = [{ after: null, observation: '{}' }]
  const runner: ScenarioRunner = {
    ...shop,
    run: async (...args) => ({ ...(await shop.run(...args)), states }),
  }
  const { signal } = new AbortController()
  const results = await gradeFaults(runner, {
    ...{ classes: ['duplicates', 'lost_responses'], timeMs, nowMs: shop.nowMs, signal },
  })
  return Object.fromEntries(results.map((one) => [one.class, one]))
}

test('passes a correct shop, with checks of each class', async () => {
  const { duplicates, lost_responses: lost, authenticity } = await grade({})
  for (const one of [duplicates, lost]) {
    assert.equal(one?.findings, [])
    assert.ok((one?.checks ?? 0) > 0)
  }
  // Faults alone do not pass the class.
  assert.equal([authenticity?.findings, authenticity?.checks], [[], 0])
})

test('reports that the time was too short for some faults, and names no flag of explore', async () => {
  const { duplicates } = await grade({}, 1000)
  assert.match(
    duplicates?.notes.join() ?? '',
    /runs with faults, because the time limit was reached\. For more time: `--time 5m`/,
  )
  const failed = await grade({ repeatsDuplicates: true }, 3000)
  assert.not.match(failed['duplicates']?.notes.join() ?? '', '--all')
})

test('reports a difference that is not confirmed as a note, and does not pass the class', async () => {
  const { lost_responses: lost, duplicates } = await grade({ repeatsCharges: true }, 5500, 5500)
  assert.equal([lost?.findings, lost?.incomplete], [[], 'untried'])
  assert.match(
    duplicates?.notes.join() ?? '',
    /Not confirmed, because the time limit was reached \(.+: payment/,
  )
})

test('reports a scenario that fails with the output of the app, and not as passed', async () => {
  const message = 'The scenario failed: Step 1 (POST /buy): the response was 500'
  const hint = 'The output of the app:\nUNIQUE failed: users.email'
  const run = () => Promise.reject(new UsageError('scenario_failed', message, { hint }))
  const results = await gradeFaults(
    { ...createShop({}), run },
    {
      ...{ classes: ['duplicates', 'lost_responses'], timeMs: 1000, nowMs: () => 0 },
      signal: new AbortController().signal,
    },
  )
  assert.equal(
    results.map((one) => [one.class, one.incomplete, one.checks]),
    [
      ['duplicates', 'error', 0],
      ['lost_responses', 'error', 0],
    ],
  )
  assert.match(results[0]?.notes.join('\n') ?? '', /Step 1 .*\n.*\nUNIQUE failed: .*\n.*\{\{run\}\}/)
})

test('assigns a duplicate and a lost response to their classes, with evidence and fix', async () => {
  const { duplicates, lost_responses: lost } = await grade({ repeatsDuplicates: true, repeatsCharges: true })
  const [duplicate] = duplicates?.findings ?? []
  assert.match(duplicate?.id ?? '', /^duplicate delivery\//)
  assert.match(duplicate?.evidence.join('\n') ?? '', 'instead of 1')
  assert.match(duplicate?.fix ?? '', 'Process each event once')
  const [charge] = lost?.findings ?? []
  assert.match(charge?.problem ?? '', 'payments.create request was executed, but its response was lost')
  assert.is(charge?.severity, 'high')
})

test('names each fault of a schedule once in the id of a finding', async () => {
  // The time ends before the duplicates of all deliveries are reduced to one.
  const { duplicates } = await grade({ repeatsDuplicates: true }, 1)
  const [finding] = duplicates?.findings ?? []
  assert.match(
    finding?.problem ?? '',
    /^The first delivery of .* arrived twice.*, with the same fault at \d+ other points, and the app/,
  )
  assert.match(finding?.id ?? '', /^duplicate delivery\//)
})

test('reports that a shop that loses its state was not restarted', async () => {
  const { duplicates } = await grade({ isVolatile: true })
  assert.match(duplicates?.notes.join() ?? '', 'Not explored: restart, because the app loses its state')
})

test.run()
