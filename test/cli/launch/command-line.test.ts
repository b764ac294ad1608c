import type { Command } from '@oclif/core/command'
import { Config } from '@oclif/core/config'
import { parse } from '@oclif/core/parser'
import fc from 'fast-check'
import { UsageError } from '../../../src/cli/errors/usage-error.ts'
import { type CommandDefinition, parseCommandLine } from '../../../src/cli/launch/command-line.ts'
import { boolean, repeatable, string, textArg } from '../../../src/cli/parse/flag-builders.ts'
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

function parseLine(definition: CommandDefinition, argv: readonly string[], env: NodeJS.ProcessEnv = {}) {
  return parseCommandLine(definition, argv, { env, command: 'customers list' })
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

  test(`${name}: accepts the command lines that oclif accepts, with the same values`, async () => {
    const definition = await definitionOf(command)
    const agrees = async (argv: string[]) => {
      const [own, theirs] = await Promise.allSettled([
        parseLine(definition, argv, process.env),
        parseWithOclif(definition, argv),
      ])
      assert.is(own.status, theirs.status, argv.join(' '))
      if (own.status === 'rejected' || theirs.status === 'rejected') return
      const { argv: words, ...parsed } = own.value
      const { argv: theirWords, ...theirParsed } = theirs.value
      assert.equal(parsed, theirParsed)
      // oclif changes the order of arguments if an argument equals the value of a flag.
      assert.equal(words.toSorted(), theirWords.toSorted())
    }
    // Equal numbers are separate words, and an equals sign may be a value.
    const examples: [string[]][] = [[['-1', '-1']], [['-12', '-1', '-12']], [['-d', '=']], [['-d=x']]]
    await fc.assert(fc.asyncProperty(linesFor(definition), agrees), {
      ...{ ...propertySettings, numRuns: 60, examples },
    })
  })
}

test('reads missing flags from non-empty environment variables', async () => {
  const [list] = commands.filter(({ id }) => id === 'customers:list')
  assert.ok(list)
  const flagsWith = async (argv: string[], env: Record<string, string>) =>
    (await parseLine(await definitionOf(list), argv, env)).flags
  assert.equal(await flagsWith([], { PAYCLI_API_KEY: 'k', PAYCLI_API_BASE: '' }), { 'api-key': 'k' })
  assert.equal(await flagsWith(['--api-key', 'own'], { PAYCLI_API_KEY: 'k' }), { 'api-key': 'own' })
})

const FLAGS = {
  db: string({ exclusive: ['memory'] }),
  memory: boolean(),
  host: string({ default: '127.0.0.1' }),
  expose: boolean({ dependsOn: ['host'] }),
  seed: string({ dependsOn: ['memory'] }),
  port: string({ default: '80', exclusive: ['memory'] }),
  status: string({ options: ['open', 'paid'] }),
  scopes: repeatable({ options: Array.from({ length: 42 }, (_, at) => `scope${at}:read`), delimiter: ',' }),
}

/** Command lines with the code and the message of their error, and the start of the hint. */
const INVALID: readonly (readonly [line: string, code: string, message: string, hint?: string])[] = [
  ['1 2 3', 'argument_unknown', "Unexpected arguments '2', '3': customers list has no such arguments."],
  ['1 2', 'argument_unknown', "Unexpected argument '2': customers list has no such argument."],
  ['', 'argument_missing', 'Missing argument: id.'],
  ['--foo -z x', 'flag_unknown', 'Unknown flag --foo, -z.'],
  ['--memory=--foo', 'flag_unknown', 'Unknown flag --memory=--foo.'],
  ['x --db', 'usage_invalid', 'Flag --db expects a value'],
  ['x --db --memory', 'usage_invalid', 'Flag --db expects a value'],
  ['x --status', 'usage_invalid', 'Flag --status expects one of these values: open, paid'],
  ['x --db 1 --db 2', 'usage_invalid', 'Flag --db can only be specified once'],
  ['x --db 1 --memory', 'flag_invalid', '--memory and --db cannot be used together.'],
  [
    'x --seed 1 --expose',
    'flag_invalid',
    'All of the following must be provided when using --seed: --memory',
  ],
  [
    'x --status piad',
    'flag_invalid',
    "Invalid --status 'piad': expected one of open, paid.",
    'Use --status paid',
  ],
  [
    'x --status unpaid',
    'flag_invalid',
    "Invalid --status 'unpaid': expected one of open, paid.",
    'For instance: --status open',
  ],
  [
    'x --scopes foo',
    'flag_invalid',
    "Invalid --scopes 'foo': expected one of 42 values, such as scope0:read, scope1:read.",
  ],
]

for (const [line, code, message, hint] of INVALID) {
  test(`rejects '${line}' with the error '${message}'`, async () => {
    const args = { id: textArg({ required: true }) }
    const words = line.split(' ').filter((word) => word !== '')
    const error = await parseLine({ args, flags: FLAGS }, words).catch((thrown: unknown) => thrown)
    assert.ok(error instanceof UsageError)
    assert.equal([error.code, error.message], [code, message])
    if (hint !== undefined) assert.is(error.hint, hint)
  })
}

test.run()
