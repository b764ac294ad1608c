import { estimateJsonBytes } from '../../../src/domain/text/json-bytes.ts'
import { SAMPLES } from '../../store/samples.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/text/json-bytes')

for (const [name, record] of Object.entries(SAMPLES))
  test(`estimates the bytes of ${name} within a quarter`, () => {
    const bytes = Buffer.byteLength(JSON.stringify(record))
    const estimate = estimateJsonBytes(record)
    assert.ok(Math.abs(estimate - bytes) <= bytes / 4, `${estimate} in place of ${bytes}`)
  })

test('counts the bytes of long strings, not their characters', () => {
  const text = 'ü'.repeat(1000)
  assert.ok(estimateJsonBytes({ text }) >= Buffer.byteLength(text))
})

test.run()
