import type { RunDifference } from '../../../../src/cli/explore/compare/difference.ts'
import type { Finding } from '../../../../src/cli/explore/exploration.ts'
import type { ScheduledFault } from '../../../../src/cli/explore/model/schedule.ts'
import { listFixHints } from '../../../../src/cli/explore/report/fix-hints.ts'
import { assert, suite } from '../../../support/suite.ts'
import {
  DIFFERENCE,
  DUPLICATE,
  deliveryWith,
  findingWith,
  KILLED,
  LOST_RESPONSE,
  recordWith,
  requestWith,
} from '../sample-runs.ts'

const test = suite('cli/explore/fix-hints')

const CONCURRENT: ScheduledFault = { ...DUPLICATE, options: { copies: 2, order: 'concurrent' } }
const OVERLAP: ScheduledFault = { ...DUPLICATE, fault: 'overlap', options: {} }
const KILLED_AT_DELIVERY: ScheduledFault = { ...DUPLICATE, fault: 'restart', options: { moment: 'after' } }
const LESS: RunDifference = { ...DIFFERENCE, change: 'changed', expected: '100', actual: '50' }
const MORE: RunDifference = { ...LESS, actual: '200' }

/** Returns the hints as one text, in lines. */
function hintsOf(fields: Partial<Finding>): string {
  return listFixHints(findingWith(fields)).join('\n')
}

test('returns the hint of the difference, or else the hint of each fault', () => {
  const schedule = [DUPLICATE, CONCURRENT, LOST_RESPONSE]
  const differences = [{ ...DIFFERENCE, kind: 'forgery' as const }]
  assert.match(hintsOf({ schedule, differences }), /^Verify the signature[^\n]*$/)
  assert.match(hintsOf({ schedule }), /^Process each event once[^\n]*\nSend an Idempotency-Key[^\n]*$/)
})

test('blames a missing idempotency key only if a request without a key was repeated', () => {
  const schedule = [LOST_RESPONSE]
  const record = recordWith({ requests: [requestWith({ idempotencyKey: 'order-1' })] })
  assert.match(hintsOf({ schedule, differences: [MORE] }), /^Send an Idempotency-Key/)
  assert.match(
    hintsOf({ schedule, differences: [MORE], record }),
    /^A lost or late response is not a failure/,
  )
  assert.match(hintsOf({ schedule, differences: [LESS] }), /^A lost or late response is not a failure/)
})

test('names a lost update if deliveries at the same time end with less', () => {
  for (const fault of [OVERLAP, CONCURRENT]) {
    assert.match(
      hintsOf({ schedule: [fault], differences: [LESS] }),
      /^Two deliveries may arrive at the same/,
    )
    assert.match(hintsOf({ schedule: [fault], differences: [MORE] }), /^Process each event once/)
  }
})

test('an effect that is repeated after a restart does not count as lost work', () => {
  assert.match(hintsOf({ schedule: [KILLED_AT_DELIVERY], differences: [MORE] }), /^Process each event once/)
  assert.match(hintsOf({ schedule: [KILLED], differences: [MORE] }), /^Send an Idempotency-Key/)
  assert.match(hintsOf({ schedule: [KILLED], differences: [LESS] }), /^Respond to a delivery only after/)
})

test('a state that a late retry replaces after a restart does not count as lost work', () => {
  const schedule = [KILLED_AT_DELIVERY]
  const deliveries = ['payment.succeeded', 'payment.refunded', 'payment.succeeded'].map((type, index) =>
    deliveryWith({ type, event: `evt_${type}`, atMs: 100 * index }),
  )
  const differences = [{ ...LESS, expected: '"refunded"', actual: '"paid"' }]
  const stale = { schedule, differences, record: recordWith({ schedule, deliveries }) }
  assert.match(hintsOf(stale), /^Do not depend on the order of deliveries/)
  const [first, , last] = deliveries
  const others = deliveries.flatMap((one) => (one === first || one === last ? [one] : []))
  const lost = recordWith({ schedule, deliveries: others })
  assert.match(hintsOf({ ...stale, record: lost }), /^Respond to a delivery only after/)
})

test('names the cause that another fault with the same result shows better', () => {
  const schedule = [KILLED_AT_DELIVERY]
  assert.match(hintsOf({ schedule, differences: [LESS] }), /^Respond to a delivery only after/)
  assert.match(hintsOf({ schedule, alsoAfter: [[OVERLAP], [DUPLICATE]] }), /^Process each event once[^\n]*$/)
  const failed = { ...LOST_RESPONSE, fault: 'error' } as const
  assert.match(hintsOf({ schedule: [KILLED], alsoAfter: [[failed]] }), /^Repeat a request after 429, 5xx/)
})

test.run()
