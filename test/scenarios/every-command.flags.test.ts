import { paycli } from '../commands/paycli.ts'
import { asking, nowhere, others, withFlags } from '../support/every-command.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('every command, with a flag that it does not have')

for (const command of asking) {
  test(`${command.id.replaceAll(':', ' ')} says what was meant`, async () => {
    const { code, stdout, stderr } = await paycli(withFlags(command, '--api-bsae', 'x'), { env: nowhere })
    assert.equal([code, stdout], [2, ''], stderr)
    assert.match(stderr, 'Did you mean --api-base?')
  })
}

for (const command of others) {
  test(`${command.id.replaceAll(':', ' ')} refuses it`, async () => {
    const { code, stdout, stderr } = await paycli(withFlags(command, '--no-such-flag'), { env: nowhere })
    assert.equal([code, stdout], [2, ''], stderr)
    assert.match(stderr, 'There is no flag --no-such-flag.')
  })
}

test.run()
