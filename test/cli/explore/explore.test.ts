import { UsageError } from '../../../src/cli/errors/usage-error.ts'
import type { ExplorationResult } from '../../../src/cli/explore/exploration.ts'
import { type ExploreOptions, type ExploreProgress, explore } from '../../../src/cli/explore/explore.ts'
import type { ScenarioRunner } from '../../../src/cli/explore/model/run-record.ts'
import type { FaultSchedule, ScheduledFault } from '../../../src/cli/explore/model/schedule.ts'
import { assert, suite } from '../../support/suite.ts'
import { DUPLICATE, KILLED, recordWith } from './sample-runs.ts'
import { createShop, limitTime, type ShopBugs } from './simulated-shop.ts'

const test = suite('cli/explore/explore')

const COMPLETED = { kind: 'delivery', event_type: 'payment_session.completed', occurrence: 1 } as const

const replayOf = (...faults: ScheduledFault[]) => ({ schedule: faults, differences: [] })

function exploreShop(bugs: ShopBugs, options: Partial<ExploreOptions> = {}) {
  const shop = createShop(bugs)
  const all = { timeMs: 60_000, seed: '7', replays: null, nowMs: shop.nowMs, ...options }
  return explore(shop, all).then((exploration) => ({ exploration, shop }))
}

const faultsOf = (schedule: FaultSchedule = []) => schedule.map(({ fault }) => fault)
const resultsOf = ({ explored }: ExplorationResult) => explored.map(({ result }) => result)

test('stops at the first confirmed finding', async () => {
  const { exploration, shop } = await exploreShop({ repeatsDuplicates: true })
  const [finding] = exploration.findings
  assert.is(exploration.findings.length, 1)
  assert.equal([faultsOf(finding?.schedule), finding?.schedule[0]?.at], [['duplicate'], COMPLETED])
  assert.match(finding?.differences.map(({ text }) => text).join() ?? '', /^orders: 2 entries instead of 1/)
  // Two runs confirm the schedule, and another run without faults follows.
  const confirmed = shop.schedules.findLastIndex(({ length }) => length === 0)
  assert.equal(shop.schedules.slice(confirmed - 2, confirmed), [finding?.schedule, finding?.schedule])
  assert.is.not(exploration.skipped.length, 0)
})

test('names other faults at the same point with the same result', async () => {
  const { exploration } = await exploreShop({ repeatsDuplicates: true })
  const [finding] = exploration.findings
  assert.equal(finding?.alsoAfter.flat(), [
    { ...DUPLICATE, at: COMPLETED, options: { copies: 2, order: 'concurrent' } },
  ])
})

test('passes a difference on before its schedule is reduced and confirmed', async () => {
  const shop = createShop({ repeatsDuplicates: true })
  const seen: { text: string; elapsedMs: number; runs: number }[] = []
  await explore(shop, {
    ...{ timeMs: 60_000, seed: '7', replays: null, nowMs: shop.nowMs },
    onDifference: ({ text, elapsedMs }) => seen.push({ text, elapsedMs, runs: shop.schedules.length }),
  })
  assert.is(seen.length, 1)
  assert.match(seen[0]?.text ?? '', /^orders: 2 entries instead of 1/)
  // Three runs without faults, and the first schedule.
  assert.equal([seen[0]?.runs, seen[0]?.elapsedMs], [4, 4000])
})

test('finds nothing in a correct shop and explores until the time limit', async () => {
  for (const bugs of [{}, { isChatty: true }]) {
    const { exploration } = await exploreShop(bugs)
    assert.equal(exploration.findings, [])
    // The rest of the time is kept to confirm a finding.
    assert.equal(exploration.durationMs, 54_000)
    assert.ok(exploration.explored.some(({ schedule }) => schedule[0]?.fault === 'restart'))
    assert.ok(resultsOf(exploration).includes('not_applied'))
  }
})

test('tries a schedule even when the runs without faults took longer than the time limit', async () => {
  const { exploration } = await exploreShop({}, { timeMs: 1 })
  assert.is(exploration.explored.length, 1)
})

test('an exhaustive exploration reports each of several problems once', async () => {
  const bugs = { repeatsDuplicates: true, repeatsCharges: true }
  const { exploration } = await exploreShop(bugs, { isExhaustive: true })
  const [first, second] = exploration.findings
  assert.is(exploration.findings.length, 2)
  assert.equal([faultsOf(first?.schedule), faultsOf(second?.schedule)], [['duplicate'], ['drop_response']])
  assert.ok(resultsOf(exploration).includes('known'))
})

test('counts single faults that passed together as not tried alone', async () => {
  const { exploration } = await exploreShop({}, { timeMs: 40_000 })
  assert.ok(exploration.notTriedAlone.length > 0)
  const tried = new Set(exploration.explored.flatMap(({ applied }) => applied))
  for (const [fault] of exploration.notTriedAlone)
    assert.ok(fault && JSON.stringify([...tried]).includes(JSON.stringify(fault)))
  for (const [fault] of exploration.skipped)
    assert.not.ok(JSON.stringify([...tried]).includes(JSON.stringify(fault)))
})

test('finds a problem that needs two faults after every single fault was tried', async () => {
  const { exploration } = await exploreShop({ losesOrderOnPair: true }, { timeMs: 600_000 })
  assert.equal(faultsOf(exploration.findings[0]?.schedule).sort(), ['drop_response', 'duplicate'])
  assert.equal(exploration.skipped, [])
})

test('does not report a rare difference, with or without a fault', async () => {
  const racy = await exploreShop({ isRacy: true })
  assert.equal(racy.exploration.findings, [])
  assert.is(resultsOf(racy.exploration).filter((result) => result === 'not_reproducible').length, 1)
  for (let every = 4; every <= 12; every += 1) {
    const { exploration } = await exploreShop({ isFlakyEvery: every })
    assert.equal(exploration.findings, [], `every ${every}. run`)
  }
})

test('reports the full schedule of a problem when the shrunk schedule does not reproduce it', async () => {
  const { exploration } = await exploreShop({ isRacyAlone: true })
  const [finding] = exploration.findings
  assert.ok((finding?.schedule.length ?? 0) > 1)
  assert.equal(resultsOf(exploration), ['finding'])
  assert.equal(exploration.explored[0]?.schedule, finding?.schedule)
})

test('does not restart a shop whose state is lost in a restart', async () => {
  const { exploration } = await exploreShop({ isVolatile: true })
  assert.equal(exploration.findings, [])
  assert.match(exploration.lostState[0]?.text ?? '', /^orders: no entries instead of 1/)
  assert.not.ok(
    exploration.explored.some(({ schedule }) => schedule.some(({ fault }) => fault === 'restart')),
  )
})

test('replays a schedule regardless of the time limit', async () => {
  const replay = replayOf({ ...DUPLICATE, at: COMPLETED })
  const options = { replays: [replay], timeMs: 1 }
  const found = await exploreShop({ repeatsDuplicates: true }, options)
  assert.is(found.exploration.findings.length, 1)
  assert.equal(found.exploration.findings[0]?.schedule, replay.schedule)
  const fixed = await exploreShop({}, options)
  assert.equal(resultsOf(fixed.exploration), ['passed'])
  assert.is(fixed.exploration.isReplay, true)
})

test('repeats the replay of a race until the known difference occurs', async () => {
  const replay = replayOf({ ...DUPLICATE, at: COMPLETED })
  const first = await exploreShop({ repeatsDuplicates: true }, { replays: [replay] })
  const differences = first.exploration.findings.flatMap((one) => one.differences.map(({ text }) => text))
  const known = { ...replay, differences }
  const { exploration, shop } = await exploreShop({ racesEvery: 3 }, { replays: [known] })
  const [finding] = exploration.findings
  assert.equal(finding?.differences.map(({ text }) => text) ?? [], differences)
  assert.equal(finding?.occurrences, { failed: 1, runs: 3 })
  assert.equal(shop.schedules, [[], [], ...Array(3).fill(known.schedule)])
})

test('a replay does not report an unknown difference that occurs only once', async () => {
  const other = { ...replayOf({ ...DUPLICATE, at: COMPLETED }), differences: ['orders: another difference'] }
  const { exploration } = await exploreShop({ racesEvery: 3 }, { replays: [other] })
  assert.equal(exploration.findings, [])
  assert.equal(resultsOf(exploration), ['not_reproducible'])
  assert.equal(exploration.explored[0]?.occurrences, { failed: 1, runs: 5 })
})

test('a replay of a correct app runs three times, or once when no fault applies', async () => {
  const early = { fault: 'early', at: COMPLETED, options: {} } as const
  for (const [fault, runs] of [
    [{ ...DUPLICATE, at: COMPLETED }, 3],
    [early, 1],
  ] as const) {
    const { exploration } = await exploreShop({}, { replays: [replayOf(fault)] })
    assert.equal(exploration.explored[0]?.occurrences, { failed: 0, runs })
  }
})

test('replays the remaining schedules after a schedule reproduces its problem', async () => {
  const replays = [
    replayOf({ ...DUPLICATE, at: COMPLETED }),
    replayOf(KILLED),
    replayOf({ ...DUPLICATE, at: COMPLETED }, KILLED),
  ]
  const { exploration } = await exploreShop({ repeatsDuplicates: true }, { replays })
  assert.equal(resultsOf(exploration), ['finding', 'passed', 'known'])
})

test('replays a schedule without shrinking it', async () => {
  const replay = replayOf(KILLED, { ...DUPLICATE, at: COMPLETED })
  const { exploration } = await exploreShop({ repeatsDuplicates: true }, { replays: [replay] })
  assert.equal(exploration.findings[0]?.schedule, replay.schedule)
})

test('reports the progress of a replay without a time limit', async () => {
  const seen: ExploreProgress[] = []
  const replay = replayOf({ ...DUPLICATE, at: COMPLETED })
  await exploreShop({}, { replays: [replay], onProgress: (one) => seen.push(one) })
  assert.equal(
    seen.map(({ remainingMs }) => remainingMs),
    [Infinity, Infinity, Infinity],
  )
})

test('reports the progress of an exploration', async () => {
  const seen: ExploreProgress[] = []
  await exploreShop({}, { timeMs: 5000, onProgress: (one) => seen.push(one) })
  assert.equal(
    seen.map(({ done, remainingMs }) => [done, remainingMs]),
    [
      [0, 5000],
      [0, 5000],
      [0, 2000],
      [1, 1000],
    ],
  )
})

test('ends a run that exceeds the time limit', async () => {
  let runs = 0
  const run: ScenarioRunner['run'] = async (schedule, { signal } = {}) => {
    runs += 1
    if (runs <= 4) return recordWith({ schedule })
    await new Promise((resolve) => signal?.addEventListener('abort', resolve))
    throw signal?.reason
  }
  const options = { timeMs: 100, seed: '7', replays: null, nowMs: () => performance.now() }
  const { explored, failure } = await explore({ run, close: async () => {} }, options)
  assert.equal([explored.length, failure], [1, null])
})

test('confirms a finding of the first schedule even after the time limit', async () => {
  const { exploration } = await exploreShop({ repeatsDuplicates: true }, { timeMs: 1 })
  assert.equal([resultsOf(exploration), exploration.unconfirmed], [['finding'], []])
})

test('does not report a difference as a problem if the time limit is reached before its confirmation', async () => {
  for (const [timeMs, runs] of [
    [5500, 1],
    [6000, 2],
  ] as const) {
    const shop = limitTime(createShop({ repeatsCharges: true }), timeMs)
    const options = { timeMs, seed: '7', replays: null, nowMs: shop.nowMs }
    const exploration = await explore(shop, options)
    assert.equal(exploration.findings, [])
    assert.equal(
      exploration.unconfirmed.map(({ occurrences }) => occurrences),
      [{ failed: runs, runs }],
    )
    assert.equal(resultsOf(exploration), ['passed', 'not_confirmed'])
  }
})

test('an aborted exploration returns its findings so far', async () => {
  const abort = new AbortController()
  const { exploration } = await exploreShop(
    {},
    { signal: abort.signal, onProgress: ({ done }) => (done === 3 ? abort.abort() : undefined) },
  )
  assert.is(exploration.explored.length, 4)
})

test('tries the single faults of a sweep that made the scenario fail', async () => {
  const { exploration } = await exploreShop({ abortsOnHold: true }, { timeMs: 600_000 })
  const holds = exploration.explored.filter(
    ({ schedule }) => schedule.length === 1 && schedule[0]?.fault === 'hold',
  )
  assert.ok(holds.length > 0)
  assert.ok(holds.every(({ result }) => result === 'aborted'))
})

test('returns earlier findings when a later run cannot start', async () => {
  const bugs = { repeatsDuplicates: true, startsTimes: 12 }
  const { exploration } = await exploreShop(bugs, { isExhaustive: true })
  assert.is(exploration.findings.length, 1)
  assert.is(exploration.failure?.message, 'The app did not start.')
  assert.ok((exploration.failure?.schedule.length ?? 0) > 0)
})

test('throws the error of a run when there is no earlier finding', async () => {
  assert.match(await exploreShop({ startsTimes: 5 }).then(String, String), /The app did not start/)
})

test('throws a usage error when no fault can be applied', async () => {
  const record = recordWith({ requests: [], deliveries: [] })
  const runner: ScenarioRunner = { run: async () => record, close: async () => {} }
  const options = { timeMs: 1000, seed: '7', replays: null, nowMs: () => 0 }
  const error = await explore(runner, options).catch((thrown: unknown) => thrown)
  assert.instance(error, UsageError)
  assert.match(String(error), /nothing to explore: .* no request .* no webhook/)
})

test('throws a usage error when --expect fails without faults', async () => {
  const outcome = { expectation: 1, expectationOutput: 'no order' }
  const runner: ScenarioRunner = { run: async () => recordWith({ outcome }), close: async () => {} }
  const options = { timeMs: 1000, seed: '7', replays: null, nowMs: () => 0 }
  const error = await explore(runner, options).catch((thrown: unknown) => thrown)
  assert.instance(error, UsageError)
  assert.match(String(error), /--expect fails without faults, with exit code 1: no order/)
})

test.run()
