import { suite } from '../support/suite.ts'
import { openFakeApi } from './fake-api.ts'

const test = suite('commands/upcoming')

const PROJECTION = { object: 'projection', data: [{ type: 'subscription.renewed' }], has_more: true }
const STATISTICS = { object: 'statistics', interval: 'week', data: [] }

const api = openFakeApi(test, ({ url }) => ({
  body: url.startsWith('/v1/statistics') ? STATISTICS : PROJECTION,
}))

api.testCalls([
  [
    'upcoming sub_1 --until 2026-01-01 --limit 5',
    'GET /v1/projections?until=1767225600&limit=5&subscription=sub_1',
  ],
  ['upcoming clock_1', 'GET /v1/projections?test_clock=clock_1'],
  [
    'stats --interval week --clock clock_1 --start 2026-01-01 --plot',
    'GET /v1/statistics?interval=week&start=1767225600&test_clock=clock_1',
  ],
])

api.testUsageErrors([['upcoming cus_1', "'cus_1' is not the id of a subscription or a test clock"]])

test.run()
