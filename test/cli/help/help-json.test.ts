import { createHelpJson } from '../../../src/cli/help/help-json.ts'
import { EXIT_CODES } from '../../../src/cli/output/exit-codes.ts'
import { readManifest } from '../../../src/cli/output/manifest.ts'
import { ROOT } from '../../support/root.ts'
import { runCommand } from '../../support/run-command.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/help-json')
const manifest = readManifest(ROOT)

test('describes every visible command with its flags and examples, and every exit code', () => {
  const { commands: listed } = manifest
  const help = createHelpJson(manifest, [])
  const visible = Object.entries(listed).filter(([, { hidden }]) => hidden !== true)
  assert.equal(
    help.commands.map(({ command }) => command),
    visible.map(([id]) => id.replaceAll(':', ' ')),
  )
  const globalFlags = help.global_flags.map(({ flag }) => flag.replace('[no-]', ''))
  for (const { command, summary, flags, global_flags = globalFlags, examples } of help.commands) {
    assert.ok(summary && examples.length > 0, command)
    const known = Object.values(listed[command.replaceAll(' ', ':')]?.flags ?? {})
    const visibleFlags = known.filter(({ hidden }) => hidden !== true)
    assert.is(flags.length + global_flags.length, visibleFlags.length, command)
    assert.not.match(examples.join(), '<%=')
  }
  assert.equal(
    help.exit_codes.map(({ code }) => code),
    [...Object.values(EXIT_CODES), 130],
  )
})

test('describes the global flags once, and lists the supported global flags of commands that accept only some', () => {
  const { global_flags, commands } = createHelpJson(manifest, ['customers'])
  assert.equal(
    global_flags.map(({ flag }) => flag),
    ['--json', '--field', '--wide', '--api-base', '--api-key', '--profile', '--sandbox', '--[no-]color'],
  )
  assert.ok(commands.every(({ global_flags }) => global_flags === undefined))
  const [copy] = createHelpJson(manifest, ['state', 'copy']).commands
  assert.equal(copy?.global_flags?.toSorted(), ['--color', '--field', '--json', '--wide'])
})

test('describes arguments, values, defaults and aliases', () => {
  const [refund] = createHelpJson(manifest, ['payments', 'refund']).commands
  assert.is(refund?.args[0]?.required, true)
  const [list] = createHelpJson(manifest, ['payment-sessions', 'list']).commands
  assert.equal(list?.aliases, ['payment-sessions ls'])
  const status = list?.flags.find(({ flag }) => flag === '--status')
  assert.equal(JSON.parse(JSON.stringify(status)), {
    flag: '--status',
    value: ['open', 'complete', 'expired'],
    description: 'Only sessions with this status.',
  })
  const [serve] = createHelpJson(manifest, ['serve']).commands
  assert.is(serve?.flags.find(({ flag }) => flag === '--port')?.default, 4100)
})

test('--help --json prints all commands, a topic, a command or an alias', async () => {
  const commandsOf = async (...argv: string[]) => {
    const { code, stdout, stderr } = await runCommand(argv)
    assert.equal([code, stderr], [0, ''])
    return JSON.parse(stdout).commands.map(({ command }: { readonly command: string }) => command)
  }
  assert.ok((await commandsOf('--help', '--json')).length > 80)
  assert.equal(await commandsOf('cards', '--help', '--json'), [
    'cards detach',
    'cards list',
    'cards retrieve',
    'cards update',
  ])
  assert.equal(await commandsOf('customers', 'create', '--json', '--help'), ['customers create'])
  assert.equal(await commandsOf('listen', '--help', '--json'), ['webhooks listen'])
})

test.run()
