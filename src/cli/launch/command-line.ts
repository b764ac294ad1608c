import type { ParseArgsOptionsConfig } from 'node:util'

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
type Token = readonly [name: string, value: string | boolean]

/**
 * Syntax for which oclif has special rules: `--`, several letters after a dash, and a value after `=` that begins with
 * a dash.
 */
const OCLIF_SYNTAX = /^(?:--$|-[^-].|--[^=]*=-.)/s

/**
 * Parses a command line exactly as oclif does, without loading oclif. Returns null when the command line is invalid or
 * unusual; oclif's parser must then parse it. Supports the kinds of flags and arguments that commands have.
 */
export async function parseCommandLine(
  { flags: definitions, args: argDefinitions, strict = true }: CommandDefinition,
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<CommandLine | null> {
  const flags = definitions as Flags
  const split = splitTokens(flags, argv)
  if (split === null || !strict) return null
  // If an argument equals the value of a flag, oclif reorders the arguments.
  if (split.words.some((text, index) => argv.indexOf(text) < argv.indexOf(split.words[index - 1] ?? text)))
    return null
  const args = nameArgs(argDefinitions, split.words)
  const values = await flagValues(flags, split.tokens, env)
  return args === null || values === null ? null : { args, argv: split.words, flags: values }
}

/** Separates positional arguments from flags; returns null for a command line that oclif must parse. */
function splitTokens(
  flags: Flags,
  argv: readonly string[],
): { readonly words: readonly string[]; readonly tokens: readonly Token[] } | null {
  if (argv.some((text) => OCLIF_SYNTAX.test(text))) return null
  const { parseArgs } = process.getBuiltinModule('node:util')
  const options = toOptions(flags)
  try {
    const parsed = parseArgs({ args: argv, options, allowPositionals: true, tokens: true })
    const given = parsed.tokens.filter((token) => token.kind === 'option')
    const tokens = given.map(
      ({ name, value = true }): Token =>
        Object.hasOwn(flags, name) ? [name, value] : [name.slice('no-'.length), false],
    )
    return { words: parsed.positionals, tokens }
  } catch {
    // The command line is invalid. The error of oclif describes the problem.
    return null
  }
}

function toOptions(flags: Flags): ParseArgsOptionsConfig {
  const options: ParseArgsOptionsConfig = {}
  for (const [name, { type, char, allowNo }] of Object.entries(flags)) {
    const short = char === undefined ? {} : { short: char }
    options[name] = { type: type === 'option' ? 'string' : 'boolean', ...short }
    if (allowNo === true) options[`no-${name}`] = { type: 'boolean' }
  }
  return options
}

function nameArgs(args: CommandDefinition['args'], words: readonly string[]): CommandLine['args'] | null {
  const names = Object.keys(args)
  const requiredCount = Object.values(args).filter(({ required }) => required).length
  if (words.length > names.length || words.length < requiredCount) return null
  return Object.fromEntries(words.map((text, index) => [names[index] ?? '', text]))
}

async function flagValues(
  flags: Flags,
  tokens: readonly Token[],
  env: NodeJS.ProcessEnv,
): Promise<Record<string, unknown> | null> {
  const values: Record<string, unknown> = {}
  const isGiven = (flag: string) => tokens.some(([name]) => name === flag) || fromEnv(flags[flag], env) !== ''
  for (const [name, flag] of Object.entries(flags)) {
    const given = tokens.flatMap(([token, value]) => (token === name ? [value] : []))
    const raw = rawValues(flag, given, env)
    if (raw === null) return null
    // oclif checks flags that require or exclude other flags, because its error names the other flags.
    if (raw.length > 0 && (flag.dependsOn !== undefined || flag.exclusive?.some(isGiven))) return null
    const parsed = await Promise.all(raw.map((one) => flag.parse(one, {}, { ...flag, name })))
    const value = flag.multiple ? parsed : parsed[0]
    if (raw.length > 0) values[name] = value
    else if (flag.default !== undefined) values[name] = flag.default
  }
  return values
}

function fromEnv(flag: FlagDefinition | undefined, env: NodeJS.ProcessEnv): string {
  return flag?.env === undefined ? '' : (env[flag.env] ?? '')
}

/** Returns the unparsed values of a flag, or null when oclif must parse them. */
function rawValues(
  flag: FlagDefinition,
  given: readonly (string | boolean)[],
  env: NodeJS.ProcessEnv,
): Token[1][] | null {
  if (given.length === 0) {
    const text = fromEnv(flag, env)
    if (text === '') return []
    return flag.type === 'boolean' || flag.multiple || isUnknownOption(flag, text) ? null : [text]
  }
  if (flag.type === 'boolean') return given.slice(-1)
  if (given.length > 1 && !flag.multiple) return null
  const texts = given.map(String)
  const { delimiter } = flag
  // oclif removes quotation marks and backslashes from a list.
  if (delimiter !== undefined && texts.some((text) => /["'\\]/.test(text))) return null
  const split = (text: string) =>
    delimiter === undefined ? text : text.split(delimiter).map((part) => part.trim())
  const parts = texts.flatMap(split)
  return parts.some((part) => isUnknownOption(flag, part)) ? null : parts
}

function isUnknownOption({ options }: FlagDefinition, text: string): boolean {
  return options !== undefined && !options.includes(text)
}
