import { parseStatusFilter } from '../../../src/cli/parse/log-filters.ts'
import { assert, suite } from '../../support/suite.ts'
import { usageErrorFrom } from '../../support/usage-errors.ts'

const test = suite('cli/log-filters')

test('converts a status or a status class to a range of statuses', () => {
  assert.equal(parseStatusFilter('404'), { status: { gte: 404, lte: 404 } })
  assert.equal(parseStatusFilter('4xx'), { status: { gte: 400, lt: 500 } })
  assert.equal(parseStatusFilter('5xx'), { status: { gte: 500, lt: 600 } })
  assert.equal(parseStatusFilter(undefined), {})
})

test('rejects a value that is neither a status nor a status class', () => {
  for (const given of ['', '4', '40', '4000', '4XX', 'xx4', '6xx', '099', 'ok']) {
    const { param, message } = usageErrorFrom(() => parseStatusFilter(given))
    assert.is(param, 'status')
    assert.match(message, /404.*4xx/)
  }
})

test.run()
