import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Config } from '@oclif/core/config'
import { normalizeArgv } from '@oclif/core/help'
import { findCommand, launch, manifestLookUp } from '../../../src/cli/launch/launch.ts'
import { ROOT } from '../../support/root.ts'
import { assert, suite } from '../../support/suite.ts'

const config = await Config.load(ROOT)
const manifest = readFileSync(join(ROOT, 'oclif.manifest.json'))
const lookUp = manifestLookUp(manifest)
const own: Record<string, { readonly id: string; readonly aliases: readonly string[] }> = JSON.parse(
  manifest.toString('utf8'),
).commands
/** Every way to write every command. */
const names = Object.values(own).flatMap(({ id, aliases }) => [id, ...aliases].map((name) => name.split(':')))

const test = suite('cli/launch')

test('a command is looked up in the manifest as JSON has it', () => {
  assert.ok(Object.keys(own).length >= 50)
  for (const id of Object.keys(own)) assert.equal(lookUp(id), own[id])
})

test('words name the same command as they do to oclif', () => {
  for (const name of names) {
    for (const more of [[], ['x'], ['--json'], ['x', '--limit=2'], ['create'], ['list', 'list']]) {
      const argv = [...name, ...more]
      const [id = '', ...rest] = normalizeArgv(config, [...argv])
      const found = findCommand(lookUp, argv)
      const command = config.findCommand(id)
      if (command !== undefined)
        assert.equal([found?.command.id, found?.rest], [aliased(id), rest], argv.join(' '))
      // A word too many is part of the name to oclif; here the command refuses it.
      else assert.equal(found?.command.args, {}, argv.join(' '))
    }
  }
})

function aliased(id: string): string | undefined {
  return Object.values(own).find((command) => command.id === id || command.aliases.includes(id))?.id
}

test('help, wrong names and wrong flags are left to oclif', async () => {
  const installed = {
    root: pathToFileURL(`${ROOT}/`),
    load: () => Promise.reject(new Error('nothing is to be loaded')),
  }
  const left = [
    'customers',
    'customers --help',
    'customers create -h',
    'serve --help',
    '--version',
    'help customers',
    '--help customers',
  ]
  const wrong = ['customers creat', 'customers list more', 'customers create --emial x', 'customers:list']
  for (const line of [...left, ...wrong]) {
    assert.is(await launch(installed, line.split(' ')), false, line)
  }
})

test('a command with a call of its own has no other code', async () => {
  let found = 0
  for (const command of config.commands) {
    const loaded = await command.load()
    if (!('call' in loaded) || loaded.call === undefined) continue
    found += 1
    assert.not.ok(Object.hasOwn(loaded.prototype, 'run'), command.id)
    for (const [name, flag] of Object.entries({ ...loaded.baseFlags, ...loaded.flags }))
      assert.is(flag.type === 'boolean' ? flag.default : undefined, undefined, name)
  }
  assert.ok(found >= 30)
})

test('no command makes the launcher load what it is there to avoid', () => {
  const sources = readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
    .filter((path) => /^(?:commands|src[/\\]cli)[/\\].*\.ts$/.test(path))
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))
  assert.ok(sources.length > 100)
  const heavy = sources.filter(({ text }) => /^import \{.*'@oclif\/core\//m.test(text))
  assert.equal(heavy, [], 'flags are made by src/cli/parse/options.ts')
})

test.run()
