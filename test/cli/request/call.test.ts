import { toCommandInput } from '../../../src/cli/request/call.ts'
import { assert, suite } from '../../support/suite.ts'
import { usageErrorFrom } from '../../support/usage-errors.ts'

const test = suite('cli/call')

test('reads the id from the first argument', () => {
  const line = { args: { id: 'cus_1' }, argv: ['cus_1'], flags: { limit: 1 } }
  assert.equal(toCommandInput(line), { id: 'cus_1', words: ['cus_1'], flags: { limit: 1 } })
  assert.is(
    usageErrorFrom(() => toCommandInput({ args: { id: '' }, argv: [''], flags: {} })).code,
    'argument_missing',
  )
})

test.run()
