import { type FakeServer, startFakeServer } from '../client/fake-server.ts'
import { assert, suite } from '../support/suite.ts'
import { paycli } from './paycli.ts'

const test = suite('commands/open, payments open and checkout open')

let server: FakeServer
let body: unknown

test.before(async () => {
  server = await startFakeServer(() => ({ body: body as object }))
})

test.after(() => server.stop())

const COMMANDS: readonly (readonly string[])[] = [
  ['payments', 'open', 'py_sess_1'],
  ['checkout', 'open', 'cks_1'],
  ['open', 'py_sess_1'],
]

for (const words of COMMANDS) {
  test(`${words.join(' ')} exits with 2 for a response without a page URL`, async () => {
    for (body of [{ id: 'py_sess_1', status: 'open' }, { id: 'py_sess_1', url: null }, {}]) {
      const { code, stdout, stderr } = await paycli([...words, '--no-browser'], {
        env: { PAYCLI_API_BASE: server.url, PAYCLI_API_KEY: 'k' },
      })
      assert.equal([code, stdout], [2, ''], stderr)
      assert.match(stderr, /^Error: (?:The response(?: for 'py_sess_1')? has no url|'py_sess_1' has no page)/)
      assert.match(stderr, /\nHint: {2}\S/)
    }
  })
}

test('payments create --open exits with 2 for a response without a page URL', async () => {
  body = { id: 'py_sess_1', status: 'open' }
  const create = ['payments', 'create', '--customer', 'cus_1', '--amount', '1000', '--currency', 'eur']
  const { code, stderr } = await paycli([...create, '--return-url', 'https://example.com/', '--open'], {
    env: { PAYCLI_API_BASE: server.url, PAYCLI_API_KEY: 'k' },
  })
  assert.is(code, 2)
  assert.match(stderr, "Error: The response for 'py_sess_1' has no url, so no page can be opened.")
})

test.run()
