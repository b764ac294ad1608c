import { paycli } from '../commands/paycli.ts'
import { asking, nowhere, others, withFlags } from '../support/every-command.ts'
import { assert, suite } from '../support/suite.ts'

/** Codes that differ from 3. */
const DOWN: Readonly<Record<string, number>> = { wait: 7 }

const test = suite('every command, when nobody is there')

test('there are many, and each is looked at', () => {
  assert.ok(asking.length > 60, `${asking.length} ask a service`)
  assert.ok(others.length > 5, `${others.length} do not`)
})

for (const command of asking) {
  test(`${command.id.replaceAll(':', ' ')} says so in one JSON document`, async () => {
    const args = withFlags(command, '--json', '--api-base', 'http://127.0.0.1:9', '--api-key', 'k')
    const { code, stdout, stderr } = await paycli(args, {
      env: { ...nowhere, NO_COLOR: '1', FORCE_COLOR: '0' },
    })
    assert.is(code, DOWN[command.id] ?? 3, stderr)
    assert.is(stdout, '')
    if (DOWN[command.id] !== undefined) return
    const { error } = JSON.parse(stderr)
    assert.equal([error.type, error.code], ['connection_error', 'connection_refused'])
  })
}

test.run()
