import { createTrafficMeter } from '../../src/tui/traffic.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('tui/traffic')

test('reports the rate of the last ten seconds', () => {
  const meter = createTrafficMeter()
  for (let ms = 0; ms < 10_000; ms += 100) meter.countEvent(ms)
  assert.is(meter.read(9999).rate, 10)
  assert.is(meter.read(14_999).rate, 5)
  assert.is(meter.read(30_000).rate, 0)
})

test('reports the 95th percentile of the last 200 durations', () => {
  const meter = createTrafficMeter()
  assert.is(meter.read(0).p95Ms, null)
  meter.addDuration(7)
  assert.is(meter.read(0).p95Ms, 7)
  for (let count = 0; count < 500; count += 1) meter.addDuration(9000)
  for (let duration = 200; duration > 0; duration -= 1) meter.addDuration(duration)
  assert.is(meter.read(0).p95Ms, 190)
  meter.clear()
  assert.equal(meter.read(0), { rate: 0, p95Ms: null })
})

test.run()
