import { errorAnswer, type FakeServer, startFakeServer } from '../client/fake-server.ts'
import { paycli } from '../commands/paycli.ts'
import { asking, nowhere, withFlags } from '../support/every-command.ts'
import { assert, suite } from '../support/suite.ts'

/** What is open to anybody who reaches the service. */
const KEYLESS: ReadonlySet<string> = new Set(['status', 'wait', 'fixtures:record'])

let server: FakeServer

const test = suite('every command, with a wrong key')

test.before(async () => {
  server = await startFakeServer(() =>
    errorAnswer(401, { type: 'authentication_error', code: 'api_key_invalid' }),
  )
})

test.after(() => server.stop())

for (const command of asking.filter(({ id }) => !KEYLESS.has(id))) {
  test(`${command.id.replaceAll(':', ' ')} ends with 4, and says where the key is`, async () => {
    const args = withFlags(command, '--api-base', server.url, '--api-key', 'wrong')
    const { code, stdout, stderr } = await paycli(args, { env: { ...nowhere, FORCE_COLOR: '1' } })
    assert.equal([code, stdout], [4, ''], stderr)
    assert.match(stderr, 'PAYCLI_API_KEY')
    // Those that stay connected say first that they try.
    const isRed = stderr.split('\n').some((line) => line.startsWith('\u001b[31mError:'))
    assert.ok(isRed, 'colours were asked for')
  })
}

test.run()
