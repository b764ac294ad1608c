import { type FakeServer, startFakeServer } from '../client/fake-server.ts'
import { runCommand } from '../support/run-command.ts'
import { assert, suite } from '../support/suite.ts'
import type { Ended } from './paycli.ts'

let server: FakeServer
let paths: string[] = []

const PROJECTION = { object: 'projection', data: [{ type: 'subscription.renewed' }], has_more: true }
const STATISTICS = { object: 'statistics', interval: 'week', data: [] }

function run(...args: string[]): Promise<Ended> {
  return runCommand(args, { PAYCLI_API_BASE: server.url, PAYCLI_API_KEY: 'k' })
}

const test = suite('commands/upcoming')

test.before(async () => {
  server = await startFakeServer(({ url }) => {
    paths.push(url)
    return { body: url.startsWith('/v1/statistics') ? STATISTICS : PROJECTION }
  })
})

test.before.each(() => {
  paths = []
})

test.after(() => server.stop())

test('upcoming asks for the projection of a subscription or a clock and prints it', async () => {
  const { code, stdout, stderr } = await run('upcoming', 'sub_1', '--until', '2026-01-01', '--limit', '5')
  assert.equal([code, stderr, JSON.parse(stdout)], [0, '', PROJECTION])
  const fields = await run('upcoming', 'clock_1', '--field', 'data[].type')
  assert.is(fields.stdout, 'subscription.renewed\n')
  assert.equal(paths, [
    '/v1/projections?until=1767225600&limit=5&subscription=sub_1',
    '/v1/projections?test_clock=clock_1',
  ])
})

test('upcoming rejects ids of other objects and sends no request', async () => {
  const { code, stderr } = await run('upcoming', 'cus_1')
  assert.is(code, 2)
  assert.match(stderr, /'cus_1' is not the id of a subscription or a test clock/)
  assert.equal(paths, [])
})

test('stats asks for the statistics of a clock and prints them', async () => {
  const flags = ['--interval', 'week', '--clock', 'clock_1', '--start', '2026-01-01', '--plot']
  const { code, stdout, stderr } = await run('stats', ...flags)
  assert.equal([code, stderr, JSON.parse(stdout)], [0, '', STATISTICS])
  assert.equal(paths, ['/v1/statistics?interval=week&start=1767225600&test_clock=clock_1'])
})

test.run()
