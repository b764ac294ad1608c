import {
  createDeliveryPoints,
  getLatencyPosition,
} from '../../../../src/dashboard/screens/deliveries/delivery-statistics.ts'
import { assert, suite } from '../../../support/suite.ts'
import { deliveryWith, NOW } from '../../dashboard-samples.ts'

const test = suite('dashboard/screens/deliveries/delivery-statistics')

const DELIVERIES = [
  deliveryWith('whd_5', { created: NOW + 100, status: 'pending', duration_ms: null }),
  deliveryWith('whd_4', { created: NOW + 90, status: 'failed', duration_ms: 2000 }),
  deliveryWith('whd_3', { created: NOW + 80, status: 'failed', duration_ms: null }),
  deliveryWith('whd_2', { created: NOW, duration_ms: 30 }),
  deliveryWith('whd_1', { created: NOW, duration_ms: 10 }),
]

test('places latencies on a logarithmic axis', () => {
  assert.is(getLatencyPosition(0), 0)
  assert.is(getLatencyPosition(1), 0)
  assert.is(getLatencyPosition(30_000), 1)
  assert.is(getLatencyPosition(99_999), 1)
  assert.ok(Math.abs(getLatencyPosition(100) - 2 * getLatencyPosition(10)) < 1e-9)
})

test('places attempts by time from left to right', () => {
  const points = createDeliveryPoints(DELIVERIES)
  assert.equal(
    points.map(({ delivery: { id, status }, x }) => [id, Number(x.toFixed(2)), status === 'failed']),
    [
      ['whd_4', 1, true],
      ['whd_3', 0.89, true],
      ['whd_2', 0, false],
      ['whd_1', 0, false],
    ],
  )
  assert.is(points[1]?.y, 0)
})

test('positions a single attempt in the middle', () => {
  assert.is(createDeliveryPoints([deliveryWith('whd_1')])[0]?.x, 0.5)
})

test.run()
