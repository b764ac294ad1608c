import { UsageError } from '../../../src/cli/errors/usage-error.ts'
import { statusParams } from '../../../src/cli/parse/log-filters.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/log-filters')

test('a status is itself, a class a hundred of them, and nothing nothing', () => {
  assert.equal(statusParams('404'), { status: { gte: 404, lte: 404 } })
  assert.equal(statusParams('4xx'), { status: { gte: 400, lt: 500 } })
  assert.equal(statusParams('5xx'), { status: { gte: 500, lt: 600 } })
  assert.equal(statusParams(undefined), {})
})

test('anything else is told with what to give', () => {
  for (const given of ['', '4', '40', '4000', '4XX', 'xx4', '6xx', '099', 'ok']) {
    assert.throws(
      () => statusParams(given),
      (error: unknown) =>
        error instanceof UsageError && error.param === 'status' && /404.*4xx/.test(error.hint ?? ''),
    )
  }
})

test.run()
