import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Config } from '@oclif/core/config'
import { normalizeArgv } from '@oclif/core/help'
import { findCommandModule, runWithoutOclif } from '../../../src/cli/launch/launch.ts'
import { ROOT } from '../../support/root.ts'
import { assert, suite } from '../../support/suite.ts'

interface ManifestCommand {
  readonly id: string
  readonly aliases: readonly string[]
  readonly args: object
  readonly relativePath: readonly string[]
}

const config = await Config.load(ROOT)
const manifest = readFileSync(join(ROOT, 'oclif.manifest.json'), 'utf8')
const manifestCommands: Record<string, ManifestCommand> = JSON.parse(manifest).commands
/** The names of all commands, aliases included. */
const names = Object.values(manifestCommands).flatMap(({ id, aliases }) =>
  [id, ...aliases].map((name) => name.split(':')),
)

const test = suite('cli/launch')

test('resolves every command line to the same command as oclif', () => {
  for (const name of names) {
    for (const more of [[], ['x'], ['--json'], ['x', '--limit=2'], ['create'], ['list', 'list']]) {
      const argv = [...name, ...more]
      const [id = '', ...rest] = normalizeArgv(config, [...argv])
      const found = findCommandModule(ROOT, argv)
      const known = commandOf(found?.name ?? '')
      assert.is(found?.command, join(ROOT, ...(known?.relativePath ?? [])))
      if (config.findCommand(id) !== undefined)
        assert.equal([known, found?.rest], [commandOf(id), rest], argv.join(' '))
      // oclif treats an extra word as part of the command name; paycli treats it as an argument of the command.
      else assert.equal(known?.args, {}, argv.join(' '))
    }
  }
})

function commandOf(name: string) {
  return Object.values(manifestCommands).find(({ id, aliases }) => id === name || aliases.includes(name))
}

test('leaves help and unknown commands to oclif', async () => {
  const load = () => Promise.reject(new Error('expected no command to be loaded'))
  const help = [
    'customers',
    'customers --help',
    'customers create -h',
    'serve --help',
    '--version',
    'help customers',
    '--help customers',
  ]
  const unknown = ['customers creat', 'customers:list']
  for (const line of [...help, ...unknown]) {
    assert.is(await runWithoutOclif(ROOT, load, line.split(' ')), false, line)
  }
})

test('no command imports modules of oclif, which only src/cli/launch/oclif.ts loads', () => {
  const sources = readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
    .filter((path) => /^(?:commands|src[/\\]cli)[/\\].*\.ts$/.test(path))
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))
  assert.ok(sources.length > 100)
  const heavy = sources.filter(({ text }) => /^import \{.*'@oclif\/core\//m.test(text))
  assert.equal(
    heavy.map(({ path }) => path),
    [join('src', 'cli', 'launch', 'oclif.ts')],
    'create flags with src/cli/parse/flag-builders.ts instead',
  )
})

test.run()
