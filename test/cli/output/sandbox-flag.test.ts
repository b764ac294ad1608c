import { addSandboxFlag, findSandboxToSuggest } from '../../../src/cli/output/sandbox-flag.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/sandbox-flag')

const inOne = (note: string) => addSandboxFlag(note, 'worker 1')

test('adds --sandbox to a command at the end of a note', () => {
  assert.is(inOne('Next:\n  paycli get py_1'), "Next:\n  paycli get py_1 --sandbox 'worker 1'")
  assert.is(
    inOne('See a. Wait: paycli events wait invoice.paid'),
    "See a. Wait: paycli events wait invoice.paid --sandbox 'worker 1'",
  )
})

test('adds nothing to prose, to several commands and to commands that manage servers', () => {
  const unchanged = [
    'No results.',
    'Show them with paycli webhooks deliveries list.',
    'Find the request id in the log of paycli serve for details.',
    'List them: paycli sandboxes list',
    'See paycli customers create --help',
    'Stop one: paycli get py_1, or all of them',
  ]
  for (const note of unchanged) assert.is(inOne(note), note)
})

test('adds no --sandbox without a selected sandbox, for the default sandbox or for the sandbox in PAYCLI_SANDBOX', () => {
  assert.is(findSandboxToSuggest({ sandbox: 'one' }, { PAYCLI_SANDBOX: 'two' }), 'one')
  assert.is(findSandboxToSuggest({}, {}), null)
  assert.is(findSandboxToSuggest({ sandbox: 'default' }, {}), null)
  assert.is(findSandboxToSuggest({ sandbox: 'one' }, { PAYCLI_SANDBOX: 'one' }), null)
  assert.is(addSandboxFlag('Next:\n  paycli get py_1', null), 'Next:\n  paycli get py_1')
})

test.run()
