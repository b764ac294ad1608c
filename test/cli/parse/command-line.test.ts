import type { Command } from '@oclif/core/command'
import { Config } from '@oclif/core/config'
import { parse } from '@oclif/core/parser'
import fc from 'fast-check'
import { type CommandShape, readCommandLine } from '../../../src/cli/parse/command-line.ts'
import { chance } from '../../support/property.ts'
import { ROOT } from '../../support/root.ts'
import { assert, suite } from '../../support/suite.ts'

const config = await Config.load({ root: ROOT, ignoreManifest: true })
const commands = config.commands.filter((command) => !command.aliases.includes(command.id))

/** Words that mean something somewhere on a command line. */
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

/** The flags and arguments of a command as its class has them. */
async function shapeOf(command: Command.Loadable): Promise<CommandShape> {
  const { args, flags, baseFlags } = await command.load()
  return { args, flags: { ...baseFlags, ...flags } }
}

async function byOclif(shape: CommandShape, argv: readonly string[]) {
  const { args, flags } = shape as Pick<Command.Class, 'args' | 'flags'>
  const parsed = await parse([...argv], { args, flags })
  return { args: parsed.args, argv: parsed.argv, flags: parsed.flags }
}

function linesFor({ flags }: CommandShape): fc.Arbitrary<string[]> {
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

  test(`${name}: what the quick reader reads, oclif reads the same`, async () => {
    const ofClass = await shapeOf(command)
    for (const shape of [ofClass, command]) {
      const agrees = async (argv: string[]) => {
        const line = await readCommandLine(shape, argv, process.env).catch(() => null)
        // The manifest leaves out what flags do with their values.
        if (line !== null && shape === ofClass) assert.equal(line, await byOclif(ofClass, argv))
        if (line !== null && shape !== ofClass && 'call' in command)
          assert.equal(line, await byOclif(ofClass, argv))
      }
      await fc.assert(fc.asyncProperty(linesFor(ofClass), agrees), { ...chance, numRuns: 60 })
    }
  })

  test(`${name}: every flag, given plainly, is read quickly`, async () => {
    const shape = await shapeOf(command)
    const words = Object.keys(shape.args).map((_, index) => `word${index}`)
    for (const [flag, given] of Object.entries(shape.flags as Command.Class['flags'])) {
      const hasRelations = (given.dependsOn ?? []).length > 0
      const value = given.type === 'option' ? [given.options?.[0] ?? '12'] : []
      const argv = [...words, `--${flag}`, ...value]
      const line = await readCommandLine(shape, argv, {})
      assert.is(line === null, hasRelations, argv.join(' '))
    }
  })
}

test('environment variables stand for flags that are not given, and empty ones do not', async () => {
  const [list] = commands.filter(({ id }) => id === 'customers:list')
  assert.ok(list)
  const flagsWith = async (argv: string[], env: Record<string, string>) =>
    (await readCommandLine(await shapeOf(list), argv, env))?.flags
  assert.equal(await flagsWith([], { PAYCLI_API_KEY: 'k', PAYCLI_API_BASE: '' }), { 'api-key': 'k' })
  assert.equal(await flagsWith(['--api-key', 'own'], { PAYCLI_API_KEY: 'k' }), { 'api-key': 'own' })
})

test.run()
