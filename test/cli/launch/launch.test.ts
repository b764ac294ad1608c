import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Config } from '@oclif/core/config'
import { normalizeArgv } from '@oclif/core/help'
import { createManifestLookup, findCommand, runWithoutOclif } from '../../../src/cli/launch/launch.ts'
import { ROOT } from '../../support/root.ts'
import { assert, suite } from '../../support/suite.ts'

const config = await Config.load(ROOT)
const manifest = readFileSync(join(ROOT, 'oclif.manifest.json'))
const lookUp = createManifestLookup(manifest)
const manifestCommands: Record<string, { readonly id: string; readonly aliases: readonly string[] }> =
  JSON.parse(manifest.toString('utf8')).commands
/** The names of all commands, aliases included. */
const names = Object.values(manifestCommands).flatMap(({ id, aliases }) =>
  [id, ...aliases].map((name) => name.split(':')),
)

const test = suite('cli/launch')

test('finds every command of the manifest', () => {
  assert.ok(Object.keys(manifestCommands).length >= 50)
  for (const id of Object.keys(manifestCommands)) assert.equal(lookUp(id), manifestCommands[id])
})

test('resolves every command line to the same command as oclif', () => {
  for (const name of names) {
    for (const more of [[], ['x'], ['--json'], ['x', '--limit=2'], ['create'], ['list', 'list']]) {
      const argv = [...name, ...more]
      const [id = '', ...rest] = normalizeArgv(config, [...argv])
      const found = findCommand(lookUp, argv)
      const command = config.findCommand(id)
      if (command !== undefined)
        assert.equal([found?.command.id, found?.rest], [resolveAlias(id), rest], argv.join(' '))
      // oclif treats an extra word as part of the command name; paycli treats it as an argument of the command.
      else assert.equal(found?.command.args, {}, argv.join(' '))
    }
  }
})

function resolveAlias(id: string): string | undefined {
  return Object.values(manifestCommands).find((command) => command.id === id || command.aliases.includes(id))
    ?.id
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
