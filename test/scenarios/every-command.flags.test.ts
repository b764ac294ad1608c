import { isolatedEnv, localCommands, serviceCommands, withFlags } from '../support/every-command.ts'
import { runCommand } from '../support/run-command.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('scenarios/every-command flags')

for (const command of serviceCommands) {
  test(`${command.id.replaceAll(':', ' ')} suggests the right flag for a misspelled one`, async () => {
    const { code, stdout, stderr } = await runCommand(withFlags(command, '--api-bsae', 'x'), isolatedEnv)
    assert.equal([code, stdout], [2, ''], stderr)
    assert.match(stderr, 'Did you mean --api-base?')
  })
}

for (const command of localCommands) {
  test(`${command.id.replaceAll(':', ' ')} rejects an unknown flag`, async () => {
    const { code, stdout, stderr } = await runCommand(withFlags(command, '--no-such-flag'), isolatedEnv)
    assert.equal([code, stdout], [2, ''], stderr)
    assert.match(stderr, 'Unknown flag --no-such-flag.')
  })
}

test.run()
