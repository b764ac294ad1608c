import { UsageError } from '../errors/usage-error.ts'

/** The properties of a flag that this parser uses. */
interface FlagDefinition {
  readonly type: 'option' | 'boolean'
  readonly char?: string
  readonly env?: string
  readonly allowNo?: boolean
  readonly multiple?: boolean
  readonly delimiter?: string
  readonly dependsOn?: readonly string[]
  readonly exclusive?: readonly string[]
  readonly default?: unknown
  readonly options?: readonly string[]
  readonly parse: (value: string | boolean, context: object, options: object) => Promise<unknown>
}

/** The flags and arguments of a command. */
export interface CommandDefinition {
  readonly flags: Readonly<Record<string, object>>
  readonly args: Readonly<Record<string, { readonly required?: boolean }>>
  readonly strict?: boolean | undefined
}

/** A parsed command line, as oclif's parser returns it. */
export interface CommandLine {
  readonly args: Readonly<Record<string, string>>
  readonly argv: readonly string[]
  readonly flags: Readonly<Record<string, unknown>>
}

type Flags = Readonly<Record<string, FlagDefinition>>
type Values = CommandLine['flags']
type Token = readonly [name: string, value: string | boolean]

/**
 * Parses a command line in the syntax of oclif, without loading oclif. Throws a UsageError for an invalid command line.
 * Supports the kinds of flags and arguments that commands have. `command` is the name of the command, for the error.
 */
export async function parseCommandLine(
  { flags: definitions, args, strict = true }: CommandDefinition,
  argv: readonly string[],
  { env, command }: { readonly env: NodeJS.ProcessEnv; readonly command: string },
): Promise<CommandLine> {
  const flags = definitions as Flags
  const { words, tokens, unknownFlags } = splitWords(flags, argv)
  const given = await readGivenValues(flags, tokens, env)
  if (unknownFlags.length > 0)
    throw new UsageError('flag_unknown', `Unknown flag ${unknownFlags.join(', ')}.`)
  const named = nameArgs({ args, strict }, words, command)
  const defaults = Object.entries(flags).flatMap(([name, flag]) =>
    flag.default === undefined ? [] : [[name, flag.default]],
  )
  const values: Values = { ...Object.fromEntries(defaults), ...given }
  const conflicts = Object.keys(given).flatMap((name) => findConflicts(name, flags[name], { given, values }))
  if (conflicts.length > 0) throw new UsageError('flag_invalid', [...new Set(conflicts)].join('\n'))
  return { args: named, argv: words, flags: values }
}

/** Separates the arguments, the known flags with their unparsed values, and the unknown flags. */
function splitWords(flags: Flags, argv: readonly string[]) {
  const { parseArgs } = process.getBuiltinModule('node:util')
  const entries = Object.entries(flags)
  const options = entries.map(([name, { type, char }]) => {
    const short = char === undefined ? {} : { short: char }
    return [name, { type: type === 'option' ? 'string' : type, ...short }] as const
  })
  const settings = { options: Object.fromEntries(options), strict: false, tokens: true } as const
  const isFlag = (text: string) =>
    entries.some(
      ([name, { char = ' ', allowNo }]) =>
        text === `--${name}` || text.startsWith(`-${char}`) || (allowNo === true && text === `--no-${name}`),
    )
  const words: string[] = []
  const tokens: Token[] = []
  const unknownFlags = new Set<string>()
  let numberIndex = -1
  for (const token of parseArgs({ args: [...argv], ...settings }).tokens) {
    if (token.kind === 'positional') words.push(token.value)
    if (token.kind !== 'option') continue
    const { name, value, inlineValue, index } = token
    const word = argv[index] ?? ''
    const flag = Object.hasOwn(flags, name) ? flags[name] : undefined
    const positive = name.replace(/^no-/, '')
    if (flag?.type === 'option') {
      const isRepeated = flag.multiple !== true && tokens.some(([other]) => other === name)
      if (isRepeated || value === undefined || (!inlineValue && isFlag(value)))
        throw createValueError(name, isRepeated, flag.options)
      // In `-d=x`, the value is `x`.
      tokens.push([name, inlineValue && !word.startsWith('--') ? value.replace(/^=/, '') : value])
    } else if (flag !== undefined || (Object.hasOwn(flags, positive) && flags[positive]?.allowNo === true)) {
      tokens.push([flag === undefined ? positive : name, flag !== undefined])
      // In `--json=yes`, `yes` is an argument, but `--limit` in `--json=--limit` is not.
      if (/^-\D/.test(value ?? '')) unknownFlags.add(word)
      else if (value !== undefined) words.push(value)
    } else if (!/^-\d/.test(word)) unknownFlags.add(word)
    else if (index !== numberIndex) {
      // The digits of a negative number are separate options of the same word.
      numberIndex = index
      words.push(word)
    }
  }
  return { words, tokens, unknownFlags: [...unknownFlags] }
}

function createValueError(flag: string, isRepeated: boolean, choices: FlagDefinition['options']): UsageError {
  const expected = choices === undefined ? 'a value' : `one of these values: ${choices.join(', ')}`
  const problem = isRepeated ? 'can only be specified once' : `expects ${expected}`
  return new UsageError('usage_invalid', `Flag --${flag} ${problem}`)
}

function nameArgs(
  { args, strict }: Omit<CommandDefinition, 'flags'>,
  words: readonly string[],
  command: string,
): CommandLine['args'] {
  const names = Object.keys(args)
  const extra = strict ? words.slice(names.length) : []
  const noun = extra.length === 1 ? 'argument' : 'arguments'
  const quoted = extra.map((word) => `'${word}'`).join(', ')
  if (extra.length > 0)
    throw new UsageError('argument_unknown', `Unexpected ${noun} ${quoted}: ${command} has no such ${noun}.`)
  const missing = names.slice(words.length).find((name) => args[name]?.required)
  if (missing !== undefined) throw new UsageError('argument_missing', `Missing argument: ${missing}.`)
  return Object.fromEntries(names.slice(0, words.length).map((name, index) => [name, words[index] ?? '']))
}

async function readGivenValues(
  flags: Flags,
  tokens: readonly Token[],
  env: NodeJS.ProcessEnv,
): Promise<Values> {
  const values: Record<string, unknown> = {}
  for (const [name, flag] of Object.entries(flags)) {
    const raw = rawValues(
      flag,
      tokens.flatMap(([token, value]) => (token === name ? [value] : [])),
      env,
    )
    if (raw.length === 0) continue
    const { options } = flag
    const unknown = raw.find((value) => options?.includes(String(value)) === false)
    if (options !== undefined && unknown !== undefined) {
      const { createChoiceError } = await import('../errors/choice-error.ts')
      throw createChoiceError(name, String(unknown), options)
    }
    const parsed = await Promise.all(raw.map((one) => flag.parse(one, {}, { ...flag, name })))
    values[name] = flag.multiple ? parsed : parsed[0]
  }
  return values
}

/** Returns the unparsed values of a flag; empty if neither the command line nor the environment sets it. */
function rawValues(flag: FlagDefinition, given: readonly Token[1][], env: NodeJS.ProcessEnv): Token[1][] {
  const { type, delimiter } = flag
  if (given.length === 0) return [env[flag.env ?? ''] ?? ''].filter((text) => text !== '')
  if (type === 'boolean') return given.slice(-1)
  if (delimiter === undefined) return [...given]
  return given
    .flatMap((text) => String(text).split(new RegExp(`(?<!\\\\)${delimiter}`)))
    .map((part) =>
      part
        .trim()
        .replaceAll(`\\${delimiter}`, delimiter)
        .replace(/^(["'])(.*)\1$/, '$2'),
    )
}

/** Returns sentences about the flags that a given flag requires or excludes. */
function findConflicts(
  name: string,
  { dependsOn = [], exclusive = [] }: Partial<FlagDefinition> = {},
  { given, values }: Readonly<Record<'given' | 'values', Values>>,
): string[] {
  const required = dependsOn.map((flag) => `--${flag}`).join(', ')
  const excluded = exclusive.find((flag) => given[flag] !== undefined)
  return [
    ...(dependsOn.every((flag) => values[flag] !== undefined)
      ? []
      : [`All of the following must be provided when using --${name}: ${required}`]),
    ...(excluded === undefined ? [] : [`--${excluded} and --${name} cannot be used together.`]),
  ]
}
