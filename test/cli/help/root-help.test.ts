import { Config } from '@oclif/core/config'
import { type CommandOverview, renderOverview } from '../../../src/cli/help/root-help.ts'
import { findCommand, isOverviewRequest } from '../../../src/cli/launch/launch.ts'
import { readManifest } from '../../../src/cli/output/manifest.ts'
import { createStyle } from '../../../src/cli/output/style.ts'
import { paycli } from '../../commands/paycli.ts'
import { ROOT } from '../../support/root.ts'
import { capture, runCommand } from '../../support/run-command.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/root-help')

const OVERVIEW: CommandOverview = {
  description: 'Words enough that they take more than one line of a narrow terminal.',
  version: '1.2.3',
  topics: { keys: { description: 'What opens the API.' } },
  commands: [
    { id: 'stop', summary: 'Stop it.' },
    { id: 'greet', summary: 'Command of a plugin.' },
    { id: 'keys:list', summary: 'List keys.' },
    { id: 'complete', summary: 'For shells.', hidden: true },
    { id: 'webhooks:listen', aliases: ['listen'], summary: 'Show events.' },
    { id: 'completion', aliases: ['autocomplete'], summary: 'Print a script.' },
    { id: 'serve', summary: 'Start everything that there is to start, and run until it is stopped.' },
  ],
}

test('lists commands and topics by task, without hidden commands, commands of topics and other aliases', () => {
  const text = renderOverview(OVERVIEW, 60, createStyle(false))
  const [, groups = ''] = /(START\n[\s\S]*)\n\nGLOBAL FLAGS\n/.exec(text) ?? []
  assert.is(
    groups,
    `START
  serve       Start everything that there is to start, and
              run until it is stopped.
  stop        Stop it.

WEBHOOKS
  listen      Show events.

OPERATE
  keys        What opens the API.
  completion  Print a script.

MORE
  greet       Command of a plugin.`,
  )
})

test('wraps the description at the width of the terminal', () => {
  const [prose = ''] = renderOverview(OVERVIEW, 40, createStyle(false)).split('\n\n')
  assert.ok(prose.split('\n').length > 1)
  for (const line of prose.split('\n')) assert.ok(line.length <= 40, line)
})

test('lists every visible command and topic, and first steps with existing commands and flags', async () => {
  const { code, stdout, stderr } = await runCommand(['--help'])
  assert.equal([code, stderr], [0, ''])
  const commands = Object.values(readManifest(ROOT).commands)
  const names = commands.filter(({ id, hidden }) => !hidden && !id.includes(':')).map(({ id }) => id)
  const config = await Config.load(ROOT)
  const topics = config.topics.map(({ name }) => name).filter((name) => !name.includes(':'))
  assert.ok(names.length > 10 && topics.length > 10)
  for (const name of [...names, ...topics, 'listen'])
    assert.match(stdout, new RegExp(`^  ${name} +[A-Z]`, 'm'))
  assert.not.match(stdout, /^MORE$/m)
  const lookUp = (id: string) => commands.find((one) => one.id === id || one.aliases.includes(id)) ?? null
  const steps = [...stdout.matchAll(/^ {2}\$ (?:npx )?paycli ([a-z].*)$/gm)].map(([, line = '']) =>
    line.split(' '),
  )
  assert.ok(steps.length > 5)
  const [, flagTable = ''] = /\nGLOBAL FLAGS\n([\s\S]*?)\n\n/.exec(stdout) ?? []
  const { flags: known } = findCommand(lookUp, ['customers', 'list'])?.command ?? {}
  const globals = Object.entries(known ?? {}).filter(
    ([, flag]) => Reflect.get(flag, 'helpGroup') === 'GLOBAL',
  )
  const listed = [...flagTable.matchAll(/^ {2}--(?:\[no-\])?([\w-]+)/gm)].map(([, name]) => name)
  assert.equal(listed.sort(), globals.map(([name]) => name).sort())
  for (const words of steps) {
    const found = findCommand(lookUp, words)
    const flags = words.filter((word) => word.startsWith('--')).map((word) => word.slice(2))
    for (const flag of flags) assert.ok(flag in (found?.command.flags ?? {}), `${words.join(' ')}: ${flag}`)
  }
})

test('treats an empty command line, --help, -h and help as a request for the overview', () => {
  for (const argv of [[], ['--help'], ['-h'], ['help']]) assert.ok(isOverviewRequest(argv), argv.join())
  for (const argv of [['serve'], ['--help', 'serve'], ['help', 'serve']])
    assert.not.ok(isOverviewRequest(argv))
})

test('prints the same help for help <command> and <command> --help, also as JSON', async () => {
  const words = ['customers', 'create']
  const [help, flag, json] = await Promise.all([
    paycli(['help', ...words]),
    paycli([...words, '--help']),
    paycli(['help', ...words, '--json']),
  ])
  assert.equal([help.code, help.stdout], [0, flag.stdout])
  assert.match(help.stdout, 'Create a customer')
  assert.equal(json, await runCommand([...words, '--help', '--json']))
})

test('refers to the list of commands for an unknown command', async () => {
  const config = await Config.load(ROOT)
  const { code, stderr } = await capture(async () => {
    await config.runHook('command_not_found', { id: 'frobnicate', argv: [] })
  })
  assert.is(code, 2)
  assert.match(stderr, /List all commands: (?:npx )?paycli help/)
})

test('fits 80 columns when paycli is not on the PATH', async () => {
  const { stdout } = await runCommand([], { PATH: '' }, { terminal: { columns: 80 } })
  assert.equal(
    stdout.split('\n').filter((line) => line.length > 80),
    [],
  )
  assert.match(stdout, /\$ npx paycli checkout create .* \\\n {6}--/)
})

test.run()
