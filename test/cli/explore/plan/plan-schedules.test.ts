import { planFaultPairs, planSingleFaults } from '../../../../src/cli/explore/plan/plan-schedules.ts'
import { formatFaultName } from '../../../../src/cli/explore/report/fault-descriptions.ts'
import { assert, suite } from '../../../support/suite.ts'
import { DUPLICATE, deliveryWith, FORGED, LOST_RESPONSE, recordWith, requestWith } from '../sample-runs.ts'

const test = suite('cli/explore/plan-schedules')

const RECORD = recordWith({
  requests: [
    requestWith({ operation: 'customers.retrieve', method: 'GET' }),
    requestWith({ operation: 'payment_sessions.create' }),
    requestWith({ operation: 'GET /unknown' }),
  ],
  deliveries: ['customer.created', 'payment.created', 'payment.succeeded', 'payment_session.completed'].map(
    (type) => deliveryWith({ type }),
  ),
})
const SINGLES = planSingleFaults(RECORD, { canRestart: true })

test('the first schedules try each main kind of fault at the point that most likely reveals a bug', () => {
  const names = new Set(SINGLES.slice(0, 14).map(([fault]) => fault?.fault))
  for (const name of [
    'duplicate',
    'drop_response',
    'hold',
    'restart',
    'bad_signature',
    'error',
    'early',
    'swap',
  ])
    assert.ok(names.has(name as never), name)
  const [first, second] = SINGLES
  assert.equal(first?.[0]?.at, { kind: 'delivery', event_type: 'payment_session.completed', occurrence: 1 })
  assert.equal(second?.[0]?.at, { kind: 'request', operation: 'payment_sessions.create', occurrence: 1 })
})

test('tries deliveries without effect last, and slow responses at the end', () => {
  const effectiveTypes = new Set(['payment.succeeded'])
  const singles = planSingleFaults(RECORD, { canRestart: true, effectiveTypes }).flat()
  const first = singles.find(({ fault }) => fault === 'drop_attempt')
  assert.equal(first?.at, { kind: 'delivery', event_type: 'payment.succeeded', occurrence: 1 })
  assert.is(singles.at(-1)?.fault, 'delay_response')
})

test('tries each single fault once', () => {
  const texts = SINGLES.map((schedule) => JSON.stringify(schedule))
  assert.is(new Set(texts).size, texts.length)
  const faults = new Set(SINGLES.flat().map(formatFaultName))
  assert.is(faults.size, 19)
})

test('drops only responses to changes, and plans no faults for unknown paths', () => {
  const points = (name: string) =>
    SINGLES.flat().flatMap(({ fault, at }) => (fault === name && at.kind === 'request' ? [at.operation] : []))
  assert.equal(points('drop_response'), ['payment_sessions.create'])
  assert.equal(points('drop_request'), ['payment_sessions.create', 'customers.retrieve'])
})

test('plans restarts of the app only if its state survives a restart', () => {
  const hasRestart = (canRestart: boolean) =>
    planSingleFaults(RECORD, { canRestart })
      .flat()
      .some(({ fault }) => fault === 'restart')
  assert.equal([hasRestart(true), hasRestart(false)], [true, false])
})

test('tries later occurrences last and omits equivalent occurrences', () => {
  const requests = Array.from({ length: 50 }, (_, index) =>
    requestWith({ point: { kind: 'request', operation: 'customers.create', occurrence: index + 1 } }),
  )
  const singles = planSingleFaults(recordWith({ requests, deliveries: [] }), { canRestart: false })
  const lost = singles.flat().filter(({ fault }) => fault === 'drop_response')
  assert.equal(
    lost.map(({ at }) => at.occurrence),
    Array.from({ length: 20 }, (_, index) => index + 1),
  )
})

test('plans pairs of faults at different points, likely bugs first, and returns the same pairs for the same seed', () => {
  const pairs = planFaultPairs([[FORGED], [LOST_RESPONSE], [DUPLICATE]], { seed: '7' })
  assert.equal(pairs, [
    [LOST_RESPONSE, DUPLICATE],
    [FORGED, LOST_RESPONSE],
  ])
  const many = (seed: string) => JSON.stringify(planFaultPairs(SINGLES, { seed }))
  assert.is(many('7'), many('7'))
  assert.is.not(many('7'), many('8'))
})

test.run()
