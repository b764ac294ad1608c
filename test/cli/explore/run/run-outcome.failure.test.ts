import type { FaultSchedule } from '../../../../src/cli/explore/model/schedule.ts'
import { classifyFailureTiming } from '../../../../src/cli/explore/run/run-outcome.ts'
import { assert, suite } from '../../../support/suite.ts'
import { deliveryWith, KILLED, LOST_RESPONSE, requestWith, runWith } from '../sample-runs.ts'

const test = suite('cli/explore/run-outcome.failure')

const SLOW: FaultSchedule = [{ ...LOST_RESPONSE, fault: 'delay_response', options: { delay_ms: 3000 } }]

/** Classifies the failure of a scenario after a lost response at 100 ms and a restart that ends at 1000 ms. */
function classify(endMs: number, schedule: FaultSchedule = [LOST_RESPONSE, KILLED], hasPending = false) {
  const run = runWith({
    recorder: {
      requests: [requestWith({ fault: 'drop_response', atMs: 100 }), requestWith({ atMs: endMs })],
      deliveries: [deliveryWith({ atMs: endMs })],
      appChanges: [{ kind: 'restarted', atMs: 1000 }],
      elapsedMs: () => endMs,
    },
    quiescence: { hasPending: async () => hasPending },
  })
  return classifyFailureTiming({ ...run, schedule })
}

test('a scenario that fails soon after the last fault may have reported that fault', async () => {
  assert.is(await classify(1200), 'soon')
  assert.is(await classify(2600), 'late')
})

test('the delay of a fault counts as part of the fault', async () => {
  assert.is(await classify(5400, SLOW), 'soon')
  assert.is(await classify(5600, SLOW), 'late')
})

test('a scenario that fails before a pending delivery did not wait for that delivery', async () => {
  assert.is(await classify(9000, [KILLED], true), 'undelivered')
})

test.run()
