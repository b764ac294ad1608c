import { Config } from '@oclif/core/config'
import CommandsHelp from '../../../src/cli/help/help.ts'
import { replaceProgramName } from '../../../src/cli/output/program-name.ts'
import { type Ended, paycli } from '../../commands/paycli.ts'
import { ROOT } from '../../support/root.ts'
import { capture } from '../../support/run-command.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/help')

const config = await Config.load(ROOT)

/** Prints the help for the words of a command line, as oclif does for `--help`. */
function help(
  words: string,
  options: { readonly maxWidth?: number } = {},
  env: Readonly<Record<string, string>> = {},
  from = config,
): Promise<Ended> {
  const shown = new CommandsHelp(from, { ...config.pjson.oclif.helpOptions, ...options })
  return capture(() => shown.showHelp(words.split(' ')), env)
}

test('prints a usage line and aligns the flags', async () => {
  const { code, stdout, stderr } = await help('serve --help')
  assert.equal([code, stderr], [0, ''])
  assert.match(stdout, /\nUSAGE\n {2}\$ (?:npx )?paycli serve \[flags\]\n/)
  const [, flags = ''] = /\nFLAGS\n([\s\S]*?)\n\n/.exec(stdout) ?? []
  const columns = [...flags.matchAll(/^ *(?=--port=|--db=|-f, --forward-to=)/gm)].map(
    ([indent]) => indent.length,
  )
  assert.equal(columns, [2, 2, 2])
})

test('does not mark an argument of a single word as repeatable', async () => {
  const { stdout } = await help('fixtures record --help')
  assert.match(stdout, /\nARGUMENTS\n {2}FILE {2}Fixture file/)
})

test('marks required arguments with angle brackets and optional arguments with square brackets', async () => {
  const { stdout: copy } = await help('state copy --help')
  assert.match(copy, 'paycli state copy <from> <to> [flags]\n')
  const { stdout: advance } = await help('clock advance --help')
  assert.match(advance, 'paycli clock advance [clock] [span] [flags]\n')
})

test('lists an alias in the help of a topic only if its command is in another topic', async () => {
  const { stdout } = await help('checkout --help')
  const names = [...stdout.matchAll(/^ {2}checkout (\S+) {2}/gm)].map(([, name]) => name)
  assert.equal(names, ['complete', 'create', 'expire', 'list', 'open', 'retrieve'])
})

test('names the command that an alias stands for', async () => {
  const { stdout: topic } = await help('payments --help')
  assert.match(topic.replace(/\s+/g, ' '), 'Expire an open payment session (same as payment-sessions expire)')
  assert.not.match(topic, 'attempts')
  const { stdout: alias } = await help('payments expire --help')
  assert.match(alias, 'paycli payments expire <id> [flags]\n')
  assert.match(alias, 'paycli payment-sessions expire.\n')
  const { stdout: command } = await help('payment-sessions expire --help')
  assert.not.match(command, 'Same as')
  assert.match(command, /\nALIASES\n.*paycli payments expire\n/)
})

test('describes global flags in three lines and prints a long list of values once', async () => {
  const { stdout } = await help('events list --help')
  const [, globals = ''] = /\nGLOBAL FLAGS\n([\s\S]*?)\n\n/.exec(stdout) ?? []
  assert.is(globals.split('\n').length, 3)
  for (const flag of ['--json', '--field', '--api-base', '--api-key', '--profile', '--[no-]color'])
    assert.match(globals, flag)
  assert.is(stdout.split('payment_session.expired').length, 2)
  assert.match(stdout, 'Values as for --type.')
})

for (const name of ['keys create', 'listen', 'checkout create']) {
  test(`the help of ${name} fits 80 columns and names commands that work without paycli on the PATH`, async () => {
    const { stdout } = await help(`${name} --help`, { maxWidth: 80 }, { PATH: '' })
    const [text = ''] = stdout.split('\nEXAMPLES\n')
    assert.equal(
      text.split('\n').filter((line) => line.length > 80),
      [],
    )
    assert.is(text.replace(/\s+/g, ' ').match(/(?<!npx )paycli (?:webhooks|events|help)|npx npx/g), null)
  })
}

test('every example fits 80 columns, and continues after a backslash so that it can be copied', async () => {
  // oclif changes the ids of commands whose help it shows.
  const own = await Config.load(ROOT)
  for (const { id, examples = [] } of config.commands.filter((one) => one.hidden !== true)) {
    const name = id.replaceAll(':', ' ')
    const { stdout } = await help(`${name} --help`, { maxWidth: 80 }, { PATH: '' }, own)
    const [, text = ''] = stdout.split('\nEXAMPLES\n')
    const lines = text.split('\n')
    assert.equal(
      lines.filter((line) => line.length > 80),
      [],
    )
    const joined = text.replace(/ \\\n +/g, ' ')
    for (const example of examples) {
      const command = String(example)
        .replace('<%= config.bin %>', 'paycli')
        .replace('<%= command.id %>', name)
      assert.match(joined, `  $ ${replaceProgramName(command, { PATH: '' })}\n`)
    }
  }
})

test('prints the same error for the help of a misspelled command as for the command', async () => {
  const wrong = await paycli(['customers', 'creat'])
  assert.is(wrong.code, 2)
  assert.match(wrong.stderr, /Did you mean: (?:npx )?paycli customers create\n/)
  assert.equal(await paycli(['help', 'customers', 'creat']), wrong)
  for (const words of ['customers creat --help', '-h customers creat']) {
    assert.equal(await help(words), wrong)
    const json = await help(`${words} --json`)
    assert.equal([json.code, JSON.parse(json.stderr).error.code], [2, 'command_unknown'])
  }
})

test.run()
