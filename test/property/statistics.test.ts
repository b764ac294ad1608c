import fc from 'fast-check'
import { api } from '../../src/api/api.ts'
import { isDeleted } from '../../src/domain/core/changes.ts'
import { loadMatching } from '../../src/engine/load-related.ts'
import { noteRuns, runCount } from '../support/property.ts'
import { createSandbox, DAY, type Sandbox } from '../support/sandbox.ts'
import { releaseStoresAfterEachCase } from '../support/store-per-case.ts'
import { assert, suite } from '../support/suite.ts'
import { executeRun, randomRuns } from './random-runs.ts'
import {
  firstDay,
  listTotals,
  scanDunning,
  scanHistory,
  scanSubscriptions,
  scanTotals,
} from './statistics-scan.ts'

const HOUR_MS = 3_600_000
const test = suite('property/statistics', {}, 4 * HOUR_MS)

releaseStoresAfterEachCase()

const MAX_ACTS = 100
const ranges = fc.record({
  interval: fc.constantFrom('day' as const, 'week' as const, 'month' as const),
  /** Days before now, or null for the default. */
  start: fc.option(fc.integer({ min: 0, max: 390 })),
})

async function clocksOf({ store, now }: Sandbox): Promise<readonly { id: string | null; time: number }[]> {
  const clocks = await loadMatching(store, 'test_clocks', {})
  const live = clocks.flatMap((clock) =>
    isDeleted(clock) ? [] : [{ id: clock.id, time: clock.frozen_time }],
  )
  return [{ id: null, time: now() }, ...live]
}

test('statistics equal a scan of all records', async () => {
  let compared = 0
  await fc.assert(
    fc.asyncProperty(randomRuns(MAX_ACTS, { size: 'max' }), ranges, async ({ dunning, script }, range) => {
      const sandbox = createSandbox({ dunning })
      await executeRun(sandbox, script)
      const snapshot = await sandbox.snapshot()
      for (const { id, time } of await clocksOf(sandbox)) {
        const { interval } = range
        const start = range.start === null ? {} : { start: Math.max(0, time - range.start * DAY) }
        const clock = id === null ? {} : { test_clock: id }
        const found = await sandbox.call(api.statistics.retrieve, {
          ...{ interval, ...start, ...clock, history: true },
        })
        if (start.start !== undefined)
          assert.is(firstDay('day', found.start), firstDay(interval, start.start), 'the first interval')
        assert.equal(listTotals(found), scanTotals(snapshot, found))
        const { revenue, statuses } = scanSubscriptions(snapshot, id)
        assert.equal(found.recurring_revenue, revenue)
        const counted = Object.entries(found.subscriptions).filter(([, count]) => count > 0)
        assert.equal(Object.fromEntries(counted), statuses)
        assert.equal(found.dunning, scanDunning(snapshot, found))
        assert.equal(found.history, scanHistory(snapshot, found, time))
        compared += 1
      }
    }),
    runCount(60),
  )
  noteRuns(compared, 'statistics')
})

test.run()
