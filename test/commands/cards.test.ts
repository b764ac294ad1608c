import { type FakeServer, startFakeServer } from '../client/fake-server.ts'
import { runCommand } from '../support/run-command.ts'
import { assert, suite } from '../support/suite.ts'

let server: FakeServer

const test = suite('commands/cards')

test.before(async () => {
  server = await startFakeServer(() => ({ body: { id: 'pm_1', object: 'payment_method' } }))
})

test.before.each(() => {
  server.seen.length = 0
})

test.after(() => server.stop())

const CALLS: readonly (readonly [args: string, request: string])[] = [
  ['ls cus_1 --limit 3', 'GET /v1/customers/cus_1/payment_methods?limit=3 '],
  ['get pm_1', 'GET /v1/payment_methods/pm_1 '],
  ['detach pm_1', 'POST /v1/payment_methods/pm_1/detach {}'],
]

for (const [args, request] of CALLS) {
  test(`paycli cards ${args} sends ${request.trim()}`, async () => {
    const ended = await runCommand(['cards', ...args.split(' '), '--field', 'id'], {
      PAYCLI_API_BASE: server.url,
      PAYCLI_API_KEY: 'k',
    })
    assert.equal([ended.code, ended.stdout, ended.stderr], [0, 'pm_1\n', ''])
    const seen = server.seen.map(({ method, url, body }) => `${method} ${url} ${body}`)
    assert.equal(seen, [request])
  })
}

test.run()
