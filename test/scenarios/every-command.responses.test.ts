import { OperationCommand } from '../../src/cli/command/operation-command.ts'
import { type FakeServer, type Reaction, startFakeServer } from '../client/fake-server.ts'
import { isolatedEnv, type ListedCommand, serviceCommands, withFlags } from '../support/every-command.ts'
import { ROOT } from '../support/root.ts'
import { loadCompiledCommand, runCommand } from '../support/run-command.ts'
import { assert, suite } from '../support/suite.ts'
import { CONTROL_CHARACTERS, HOSTILE } from './terminal-output.ts'

const OBJECT = { id: 'x_1', object: 'thing', name: HOSTILE, created: 1704067200 }
let server: FakeServer
let reaction: Reaction

const test = suite('scenarios/every-command responses')

test.before(async () => {
  server = await startFakeServer(() => reaction)
})

test.after(() => server.stop())

async function isSingleCall({ relativePath }: ListedCommand): Promise<boolean> {
  const { default: commandClass } = await loadCompiledCommand([ROOT, ...relativePath].join('/'))
  return Object(commandClass).prototype instanceof OperationCommand
}

const areSingleCalls = await Promise.all(serviceCommands.map(isSingleCall))

for (const command of serviceCommands.filter((_, index) => areSingleCalls[index])) {
  test(`${command.id.replaceAll(':', ' ')} prints the response without control characters`, async () => {
    const isList = command.id.endsWith(':list')
    const answer = isList ? { object: 'list', url: '/', data: [OBJECT], has_more: false } : OBJECT
    reaction = { body: answer }
    const at = ['--api-base', server.url, '--api-key', 'k']
    const { code, stdout, stderr } = await runCommand(withFlags(command, ...at), isolatedEnv)
    assert.equal([code, stderr], [0, ''])
    assert.equal(JSON.parse(stdout), answer)
    assert.not.match(stdout, CONTROL_CHARACTERS)
    const path = isList ? 'data[].name' : 'name'
    const field = await runCommand(withFlags(command, ...at, '--field', path), isolatedEnv)
    assert.is(field.stdout, 'Ada\\u001b]0;x\\u0007\\u202e\\u009b2J\n')
    const wrong = await runCommand(withFlags(command, ...at, '--field', 'nothing'), isolatedEnv)
    assert.equal([wrong.code, wrong.stdout], [2, ''])
  })
}

test.run()
