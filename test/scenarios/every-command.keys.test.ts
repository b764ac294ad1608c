import { errorResponse, type FakeServer, startFakeServer } from '../client/fake-server.ts'
import { isolatedEnv, serviceCommands, withFlags } from '../support/every-command.ts'
import { runCommand } from '../support/run-command.ts'
import { assert, suite } from '../support/suite.ts'

/** Commands that need no API key. */
const KEYLESS: ReadonlySet<string> = new Set(['status', 'wait', 'fixtures:record'])

let server: FakeServer

const test = suite('scenarios/every-command keys')

test.before(async () => {
  server = await startFakeServer(() =>
    errorResponse(401, { type: 'authentication_error', code: 'api_key_invalid' }),
  )
})

test.after(() => server.stop())

for (const command of serviceCommands.filter(({ id }) => !KEYLESS.has(id))) {
  test(`${command.id.replaceAll(':', ' ')} exits with 4 for an invalid API key and names PAYCLI_API_KEY`, async () => {
    const args = withFlags(command, '--api-base', server.url, '--api-key', 'wrong')
    const { code, stdout, stderr } = await runCommand(args, { ...isolatedEnv, FORCE_COLOR: '1' })
    assert.equal([code, stdout], [4, ''], stderr)
    assert.match(stderr, 'PAYCLI_API_KEY')
    // Streaming commands first print that they connect.
    const isRed = stderr.split('\n').some((line) => line.startsWith('\u001b[31mError:'))
    assert.ok(isRed, 'the output has colors')
  })
}

test.run()
