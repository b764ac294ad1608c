import { type FakeServer, startFakeServer } from '../client/fake-server.ts'
import { runCommand } from '../support/run-command.ts'
import { assert, suite } from '../support/suite.ts'
import type { Ended } from './paycli.ts'

let server: FakeServer

function run(...args: string[]): Promise<Ended> {
  return runCommand(['invoice-items', ...args], { PAYCLI_API_BASE: server.url, PAYCLI_API_KEY: 'k' })
}

const test = suite('commands/invoice-items')

test.before(async () => {
  server = await startFakeServer(() => ({ body: { id: 'ii_1', object: 'invoice_item', total: 500 } }))
})

test.before.each(() => {
  server.seen.length = 0
})

test.after(() => server.stop())

const CALLS: readonly (readonly [args: string, request: string])[] = [
  [
    'create --subscription sub_1 --description Key --unit-amount 2500 --quantity 2 --tax-percent 5.5 --type key',
    'POST /v1/invoice_items {"subscription":"sub_1","description":"Key","unit_amount":2500,"quantity":2,"type":"key","tax_percent":5.5}',
  ],
  [
    'create --subscription sub_1 --description Goodwill --unit-amount=-1000 --metadata ticket=81',
    'POST /v1/invoice_items {"subscription":"sub_1","description":"Goodwill","unit_amount":-1000,"metadata":{"ticket":"81"}}',
  ],
  ['ls --subscription sub_1 --limit 2', 'GET /v1/invoice_items?limit=2&subscription=sub_1 '],
  ['get ii_1', 'GET /v1/invoice_items/ii_1 '],
  ['rm ii_1', 'DELETE /v1/invoice_items/ii_1 '],
]

for (const [args, request] of CALLS) {
  test(`paycli invoice-items ${args} sends ${request.trim()}`, async () => {
    const { code, stderr } = await run(...args.split(' '))
    assert.equal([code, stderr], [0, ''])
    assert.equal(
      server.seen.map(({ method, url, body }) => `${method} ${url} ${body}`),
      [request],
    )
  })
}

test('create names missing flags before any request', async () => {
  const { code, stderr } = await run('create', '--unit-amount', '500')
  assert.is(code, 2)
  assert.match(stderr, 'Missing flags: --subscription, --description.')
  assert.is(server.seen.length, 0)
})

test.run()
