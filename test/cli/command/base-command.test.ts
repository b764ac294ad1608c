import { Config } from '@oclif/core/config'
import { paycli } from '../../commands/paycli.ts'
import { isolatedEnv } from '../../support/every-command.ts'
import { ROOT } from '../../support/root.ts'
import { runCommand } from '../../support/run-command.ts'
import { assert, suite } from '../../support/suite.ts'

const config = await Config.load({ root: ROOT, ignoreManifest: true })
/** The commands that call the API, without aliases. */
const commands = config.commands.filter(
  (command) => 'api-base' in command.flags && !command.aliases.includes(command.id),
)

const FIRST_FLAGS = ['json', 'field', 'wide', 'api-base', 'api-key', 'profile', 'sandbox', 'color']

/** Optional arguments by command. */
const OPTIONAL: Readonly<Record<string, readonly string[]>> = {
  'cards:list': ['customer'],
  'cards:update': ['customer'],
  'clock:retrieve': ['id'],
  open: ['target'],
  'clock:advance': ['clock', 'span', 'unit'],
  trigger: ['event'],
  'faults:add': ['fault'],
}

const test = suite('cli/base-command')

test('finds at least 30 commands', () => assert.ok(commands.length >= 30, `${commands.length} found`))

for (const command of commands) {
  const name = command.id.replaceAll(':', ' ')

  test(`${name} has a summary, examples and the global flags`, () => {
    assert.match(command.summary ?? '', /^[A-Z][^:]{1,58}[^.:]$/)
    assert.ok((command.examples ?? []).length > 0, 'examples')
    assert.equal(Object.keys(command.flags).slice(0, FIRST_FLAGS.length), FIRST_FLAGS)
  })

  test(`${name} reads no arguments from standard input and accepts one value per flag occurrence`, async () => {
    const loaded = await command.load()
    for (const [id, arg] of Object.entries(loaded.args)) {
      assert.is(arg.ignoreStdin, true, id)
      const isOptional = OPTIONAL[command.id]?.includes(id) ?? false
      assert.is(arg.required ?? false, !isOptional, id)
    }
    for (const [flag, options] of Object.entries({ ...loaded.baseFlags, ...loaded.flags })) {
      if (options.type === 'option' && options.multiple)
        assert.is(options.multipleNonGreedy, true, `--${flag}`)
    }
  })
}

test('commands print the same output in the test process as in a separate process', async () => {
  for (const args of [
    ['config', 'list'],
    ['config', 'get', 'nope'],
    ['complete', '--', 'customers', 'c'],
  ])
    assert.equal(await runCommand(args, isolatedEnv), await paycli(args, { env: isolatedEnv }))
})

test('retrieve, list and delete commands have the aliases get, ls and rm', () => {
  for (const { id, aliases } of commands) {
    const [verb = '', short] = {
      retrieve: ['retrieve', 'get'],
      list: ['list', 'ls'],
      delete: ['delete', 'rm'],
    }[id.split(':').at(-1) ?? ''] ?? ['']
    if (short !== undefined) assert.ok(aliases.includes(id.replace(new RegExp(`${verb}$`), short)), id)
  }
})

test.run()
