import { type FakeServer, startFakeServer } from '../client/fake-server.ts'
import { runCommand } from '../support/run-command.ts'
import { assert, suite } from '../support/suite.ts'
import type { Ended } from './paycli.ts'

const REFUND = { id: 're_1', object: 'refund', status: 'succeeded', amount: 500, currency: 'eur' }

let server: FakeServer

function run(...args: string[]): Promise<Ended> {
  return runCommand(['timeline', ...args], { PAYCLI_API_BASE: server.url, PAYCLI_API_KEY: 'k' })
}

const test = suite('commands/timeline')

/** An event of the refund. */
function event(sequence: number, type: string, previous_attributes?: object): object {
  const data = { object: REFUND, ...(previous_attributes ? { previous_attributes } : {}) }
  return { id: `evt_${sequence}`, type, sequence, created: 1704067200, data, request: { id: 'req_1' } }
}

test.before(async () => {
  const data = [event(2, 'refund.updated', { status: 'pending' }), event(1, 'refund.created')]
  server = await startFakeServer(({ url }) =>
    url.startsWith('/v1/events') ? { body: { object: 'list', data, has_more: false } } : { body: REFUND },
  )
})

test.after(() => server.stop())

test('prints a JSON array, oldest first', async () => {
  const { code, stdout, stderr } = await run('re_1')
  assert.equal([code, stderr], [0, ''])
  const common = { time: 1704067200, object: 're_1', request: 'req_1' }
  const entries = JSON.parse(stdout)
  assert.equal(entries, [
    { ...common, type: 'refund.created', changes: [], event: 'evt_1', sequence: 1 },
    {
      ...common,
      type: 'refund.updated',
      changes: [{ field: 'status', from: 'pending', to: 'succeeded' }],
      event: 'evt_2',
      sequence: 2,
    },
  ])
  assert.is((await run('re_1', '--field', '[].type')).stdout, 'refund.created\nrefund.updated\n')
})

test('rejects ids without a timeline and lists the supported types', async () => {
  const { code, stdout, stderr } = await run('we_1')
  assert.equal([code, stdout], [2, ''])
  assert.match(
    stderr,
    /'we_1' is not the id of an object that has a timeline\.\nHint: {2}Give the id of a customer/,
  )
})

test.run()
