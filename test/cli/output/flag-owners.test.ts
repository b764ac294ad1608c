import { findFlagOwners } from '../../../src/cli/output/flag-owners.ts'
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
