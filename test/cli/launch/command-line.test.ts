import type { Command } from '@oclif/core/command'
import { Config } from '@oclif/core/config'
import { parse } from '@oclif/core/parser'
import fc from 'fast-check'
import { type CommandDefinition, parseCommandLine } from '../../../src/cli/launch/command-line.ts'
import { propertySettings } from '../../support/property.ts'
import { ROOT } from '../../support/root.ts'
import { assert, suite } from '../../support/suite.ts'

const config = await Config.load({ root: ROOT, ignoreManifest: true })
const commands = config.commands.filter((command) => !command.aliases.includes(command.id))

/** Words with a special meaning on some command line. */
const WORDS = [
  'x',
  '',
  '-',
  '--',
  '-1',
  '12',
  'a=b',
  'a,b',
  "it's",
  '"q"',
  'a\\,b',
  '--nope',
  '-z',
  '-h',
  '=',
  'true',
]

/** Returns the flags and arguments that the class of a command declares. */
async function definitionOf(command: Command.Loadable): Promise<CommandDefinition> {
  const { args, flags, baseFlags } = await command.load()
  return { args, flags: { ...baseFlags, ...flags } }
}

async function parseWithOclif(definition: CommandDefinition, argv: readonly string[]) {
  const { args, flags } = definition as Pick<Command.Class, 'args' | 'flags'>
  const parsed = await parse([...argv], { args, flags })
  return { args: parsed.args, argv: parsed.argv, flags: parsed.flags }
}

function linesFor({ flags }: CommandDefinition): fc.Arbitrary<string[]> {
  const names = Object.entries(flags as Command.Class['flags'])
  const flag = names.flatMap(([name, { char }]) => [
    `--${name}`,
    `--no-${name}`,
    `--${name}=v`,
    char ? `-${char}` : '-j',
  ])
  const options = names.flatMap(([, one]) => (one.type === 'option' ? (one.options ?? []) : []))
  const any = fc.oneof(fc.constantFrom(...flag, '-'), fc.constantFrom(...WORDS, ...options))
  return fc.array(any, { maxLength: 6 })
}

const test = suite('cli/command-line')

for (const command of commands) {
  const name = command.id.replaceAll(':', ' ')

  test(`${name}: parses every command line as oclif does, or returns null`, async () => {
    const definition = await definitionOf(command)
    const agrees = async (argv: string[]) => {
      const line = await parseCommandLine(definition, argv, process.env).catch(() => null)
      if (line !== null) assert.equal(line, await parseWithOclif(definition, argv))
    }
    await fc.assert(fc.asyncProperty(linesFor(definition), agrees), { ...propertySettings, numRuns: 60 })
  })

  test(`${name}: parses every flag without oclif`, async () => {
    const definition = await definitionOf(command)
    const words = Object.keys(definition.args).map((_, index) => `word${index}`)
    for (const [flag, given] of Object.entries(definition.flags as Command.Class['flags'])) {
      const hasRelations = (given.dependsOn ?? []).length > 0
      const value = given.type === 'option' ? [given.options?.[0] ?? '12'] : []
      const argv = [...words, `--${flag}`, ...value]
      const line = await parseCommandLine(definition, argv, {})
      assert.is(line === null, hasRelations, argv.join(' '))
    }
  })
}

test('reads missing flags from non-empty environment variables', async () => {
  const [list] = commands.filter(({ id }) => id === 'customers:list')
  assert.ok(list)
  const flagsWith = async (argv: string[], env: Record<string, string>) =>
    (await parseCommandLine(await definitionOf(list), argv, env))?.flags
  assert.equal(await flagsWith([], { PAYCLI_API_KEY: 'k', PAYCLI_API_BASE: '' }), { 'api-key': 'k' })
  assert.equal(await flagsWith(['--api-key', 'own'], { PAYCLI_API_KEY: 'k' }), { 'api-key': 'own' })
})

test.run()
