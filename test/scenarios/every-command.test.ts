import { isolatedEnv, localCommands, serviceCommands, withFlags } from '../support/every-command.ts'
import { runCommand } from '../support/run-command.ts'
import { assert, suite } from '../support/suite.ts'

/** Exit codes of commands without a running daemon, if different from 3. */
const DOWN: Readonly<Record<string, number>> = { wait: 7 }

const test = suite('scenarios/every-command without server')

test('tests more than 60 commands that use the daemon and more than 5 that do not', () => {
  assert.ok(serviceCommands.length > 60, `${serviceCommands.length} commands call a server`)
  assert.ok(localCommands.length > 5, `${localCommands.length} do not`)
})

for (const command of serviceCommands) {
  test(`${command.id.replaceAll(':', ' ')} prints one JSON document when no daemon is running`, async () => {
    const args = withFlags(command, '--json', '--api-base', 'http://127.0.0.1:9', '--api-key', 'k')
    const { code, stdout, stderr } = await runCommand(args, {
      ...isolatedEnv,
      NO_COLOR: '1',
      FORCE_COLOR: '0',
    })
    assert.is(code, DOWN[command.id] ?? 3, stderr)
    assert.is(stdout, '')
    if (DOWN[command.id] !== undefined) return
    const { error } = JSON.parse(stderr)
    assert.equal([error.type, error.code], ['connection_error', 'connection_refused'])
  })
}

const ids = serviceCommands.map(({ id }) => id)

for (const { id } of serviceCommands.filter((one) => one.args['id']?.required)) {
  test(`${id.replaceAll(':', ' ')} without an id names the command that lists the ids`, async () => {
    const { code, stderr } = await runCommand([...id.split(':'), '--json'], isolatedEnv)
    const { hint } = JSON.parse(stderr).error
    const [, topic = ''] = /^List the [a-z ]+: (?:npx )?paycli ([a-z -]+) list/.exec(hint) ?? []
    assert.equal([code, ids.includes(`${topic.replaceAll(' ', ':')}:list`)], [2, true], hint)
  })
}

test.run()
