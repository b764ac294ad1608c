import type { SchedulePoint } from '../../../../src/cli/explore/model/schedule.ts'
import { planFaultSweeps } from '../../../../src/cli/explore/plan/plan-schedules.ts'
import { assert, suite } from '../../../support/suite.ts'
import { deliveryWith, recordWith, requestWith } from '../sample-runs.ts'

const test = suite('cli/explore/plan-schedules.sweeps')

const TYPES = ['payment_session.created', 'payment.created', 'payment.succeeded', 'payment_session.completed']
const RECORD = recordWith({
  requests: ['customers.create', 'customers.retrieve'].map((operation) => requestWith({ operation })),
  deliveries: TYPES.map((type) => deliveryWith({ type })),
})

function pointsOf(name: string, record = RECORD): string[][] {
  return planFaultSweeps(record, { canRestart: true })
    .filter(([first]) => first?.fault === name)
    .map((sweep) => sweep.map(({ at }) => nameOf(at)))
}

function nameOf(at: SchedulePoint): string {
  if (at.kind === 'payment') return `${at.occurrence}`
  return at.kind === 'request' ? at.operation : at.event_type
}

test('declines renewals, and delays the charges of sessions', () => {
  const payments = [
    { origin: 'checkout_session', off_session: false },
    { origin: 'invoice', off_session: true },
    { origin: 'api', off_session: true },
    { origin: 'invoice', off_session: true },
  ]
  // The issuer first decided on a saved card.
  const record = recordWith({ outcome: { objects: { payments } }, issuerDecisions: 5 })
  assert.equal(pointsOf('decline', record), [['3', '5']])
  assert.equal(pointsOf('issuer_unavailable', record), [['3', '5']])
  assert.equal(pointsOf('processing', record), [['1']])
})

test('applies each kind of fault at every suitable point', () => {
  const duplicates = pointsOf('duplicate').map((points) => points.toSorted())
  // There is one sweep with sequential duplicates and one with concurrent duplicates.
  assert.equal(duplicates, [TYPES.toSorted(), TYPES.toSorted()])
  assert.equal(pointsOf('drop_response'), [['customers.create']])
  assert.equal(pointsOf('error')[0], ['customers.create', 'customers.retrieve'])
})

test('holds each event while a later event arrives, and no event twice', () => {
  const holds = pointsOf('hold')
  assert.is(holds.length, 2)
  for (const [index, earlier] of TYPES.entries()) {
    for (const later of TYPES.slice(index + 1))
      assert.ok(
        holds.some((held) => held.includes(earlier) && !held.includes(later)),
        `${earlier} ${later}`,
      )
  }
})

test('limits the number of rules and restarts of a sweep, and returns no empty schedules', () => {
  const deliveries = Array.from({ length: 300 }, (_, index) =>
    deliveryWith({
      point: { kind: 'delivery', event_type: TYPES[index % 4] ?? '', occurrence: 1 + (index >> 2) },
    }),
  )
  const record = recordWith({ deliveries, requests: [] })
  assert.equal(
    pointsOf('duplicate', record).map(({ length }) => length),
    [40, 40],
  )
  assert.equal(
    pointsOf('restart', record).map(({ length }) => length),
    [4, 4, 4],
  )
  assert.ok(planFaultSweeps(record, { canRestart: false }).every(({ length }) => length > 0))
})

test.run()
