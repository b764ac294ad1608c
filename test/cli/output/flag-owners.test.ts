import { findArgumentHint, findFlagOwners, findSameCommand } from '../../../src/cli/output/flag-owners.ts'
import { ROOT } from '../../support/root.ts'
import { runCommand } from '../../support/run-command.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/flag-owners')

const OWNERS: readonly (readonly [id: string, flag: string, owners: readonly string[]])[] = [
  ['customers:create', 'coupon', ['paycli checkout create', 'paycli promotion-codes create']],
  ['webhooks:verify', 'url', ['paycli webhooks endpoints create', 'paycli webhooks endpoints update']],
  ['customers:list', 'evidence', ['paycli disputes update']],
  ['checkout:create', 'card', ['paycli checkout complete']],
  ['customers:update', 'open', []],
  ['customers:list', 'status', []],
  ['stats', 'since', []],
  ['customers:list', 'nothing', []],
]

for (const [id, flag, owners] of OWNERS) {
  test(`finds the commands that have --${flag} for ${id}`, () => {
    assert.equal(findFlagOwners(ROOT, id, flag), owners)
  })
}

const ARGUMENTS: readonly (readonly [id: string, line: string, hint: string | null])[] = [
  ['serve', '4200', 'Use: paycli serve --port 4200'],
  ['customers:create', 'ada@example.com', 'Use: paycli customers create --email ada@example.com'],
  ['customers:create', 'email=ada@example.com', 'Use: paycli customers create --email ada@example.com'],
  ['customers:create', '--name Ada Lovelace', "Put a value with spaces in quotes: --name 'Ada Lovelace'"],
  ['exec', '--sandbox x', "--sandbox takes no value: omit 'x'."],
  ['customers:create', 'foo', null],
]

for (const [id, line, hint] of ARGUMENTS) {
  test(`suggests how to write '${line}' for ${id}`, () => {
    assert.is(findArgumentHint(ROOT, { id, argv: line.split(' ') }), hint)
  })
}

test('finds the same command of another topic if it has the flags', () => {
  const find = (...argv: string[]) =>
    findSameCommand(ROOT, 'payment-sessions', { id: 'checkout:complete', argv })
  assert.is(find('py_sess_1', '--card', 'visa'), 'paycli payment-sessions complete py_sess_1 --card visa')
  assert.is(find('py_sess_1', '--nothing'), null)
})

test('an unknown flag names the commands that have it, unless a flag of the command is similar', async () => {
  const hintOf = async (...words: string[]) =>
    JSON.parse((await runCommand([...words, '--json'])).stderr).error.hint
  assert.is(
    await hintOf('customers', 'list', '--evidence', 'x'),
    'For --evidence, use paycli disputes update.',
  )
  assert.is(await hintOf('customers', 'list', '--emial', 'x'), 'Did you mean --email?')
})

test.run()
