/** A flag, as oclif's definitions and its manifest both describe it. */
export interface FlagDefinition {
  readonly type: string
  readonly char?: string
  readonly env?: string
  readonly allowNo?: boolean
  readonly multiple?: boolean
  readonly delimiter?: string
  readonly required?: boolean
  readonly exclusive?: readonly unknown[]
  readonly default?: unknown
  readonly options?: readonly string[]
  readonly parse?: unknown
}

interface ArgDefinition {
  readonly required?: boolean
  readonly default?: unknown
  readonly multiple?: boolean
  readonly options?: readonly string[]
}

/** The flags and arguments of a command. */
export interface CommandDefinition {
  readonly flags: Readonly<Record<string, object>>
  readonly args: Readonly<Record<string, object>>
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
 * Flag properties that only oclif's parser supports. RELATIONS matter only for flags with a value, UNSUPPORTED for all
 * flags.
 */
const RELATIONS = ['dependsOn', 'relationships', 'combinable']
const UNSUPPORTED = [
  'aliases',
  'charAliases',
  'allowStdin',
  'deprecated',
  'defaultHelp',
  'exactlyOne',
  'atLeastOne',
]

/**
 * Parses a command line exactly as oclif does, without loading oclif. Returns null when the command line is invalid or
 * unusual; oclif's parser must then parse it.
 */
export async function readCommandLine(
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
  const args = nameArgs(argDefinitions as Readonly<Record<string, ArgDefinition>>, split.words)
  const values = await flagValues(flags, split.tokens, env)
  return args === null || values === null ? null : { args, argv: split.words, flags: values }
}

/** Separates positional arguments from flags. */
function splitTokens(
  flags: Flags,
  argv: readonly string[],
): { readonly words: readonly string[]; readonly tokens: readonly Token[] } | null {
  const words: string[] = []
  const tokens: Token[] = []
  for (let at = 0; at < argv.length; at += 1) {
    const text = argv[at] ?? ''
    if (!looksLikeFlag(text)) {
      words.push(text)
      continue
    }
    const match = matchFlag(flags, text)
    if (match === null) return null
    const { name, value } = match
    if (value !== undefined) {
      tokens.push([name, value])
      continue
    }
    at += 1
    const next = argv[at]
    if (next === undefined || looksLikeFlag(next)) return null
    tokens.push([name, next])
  }
  return { words, tokens }
}

function looksLikeFlag(text: string): boolean {
  return text.startsWith('-') && text !== '-'
}

interface FlagMatch {
  readonly name: string
  /** Undefined when the next word is the value. */
  readonly value?: string | boolean
}

function matchFlag(flags: Flags, text: string): FlagMatch | null {
  const [, name = '', value] = /^--([a-z0-9-]+)(?:=(.*))?$/s.exec(text) ?? []
  if (name === '') return matchShortFlag(flags, text)
  const flag = getFlag(flags, name)
  if (value !== undefined) return flag?.type === 'option' && !looksLikeFlag(value) ? { name, value } : null
  if (flag?.type === 'option') return { name }
  if (flag?.type === 'boolean') return { name, value: true }
  const negated = name.startsWith('no-') ? name.slice(3) : ''
  return getFlag(flags, negated)?.allowNo === true ? { name: negated, value: false } : null
}

function matchShortFlag(flags: Flags, text: string): FlagMatch | null {
  if (!/^-[A-Za-z]$/.test(text)) return null
  const [name, flag] = Object.entries(flags).find(([, { char }]) => char === text[1]) ?? []
  if (name === undefined) return null
  return flag?.type === 'boolean' ? { name, value: true } : { name }
}

function getFlag(flags: Flags, name: string): FlagDefinition | undefined {
  return Object.hasOwn(flags, name) ? flags[name] : undefined
}

function nameArgs(
  args: Readonly<Record<string, ArgDefinition>>,
  words: readonly string[],
): Record<string, string> | null {
  const entries = Object.entries(args)
  const isPlain = entries.every(([, arg]) => !arg.multiple && !arg.options && arg.default === undefined)
  const requiredCount = entries.filter(([, { required }]) => required).length
  if (!isPlain || words.length > entries.length || words.length < requiredCount) return null
  return Object.fromEntries(words.map((text, index) => [entries[index]?.[0] ?? '', text]))
}

async function flagValues(
  flags: Flags,
  tokens: readonly Token[],
  env: NodeJS.ProcessEnv,
): Promise<Record<string, unknown> | null> {
  const values: Record<string, unknown> = {}
  for (const [name, flag] of Object.entries(flags)) {
    const given = tokens.flatMap(([token, value]) => (token === name ? [value] : []))
    if (UNSUPPORTED.some((key) => isSet(flag, key))) return null
    const raw = rawValues(flag, given, env)
    if (raw === null || (raw.length > 0 && RELATIONS.some((key) => isSet(flag, key)))) return null
    if (raw.length > 0 && flag.exclusive?.some((other) => hasValue(flags, other, tokens, env))) return null
    const parsed = await Promise.all(raw.map((one) => parse(flag, name, one)))
    const value = flag.multiple ? parsed : parsed[0]
    if (raw.length > 0) values[name] = value
    else if (flag.default !== undefined) values[name] = flag.default
  }
  return values
}

function hasValue(flags: Flags, flag: unknown, tokens: readonly Token[], env: NodeJS.ProcessEnv): boolean {
  if (typeof flag !== 'string') return true
  const variable = getFlag(flags, flag)?.env
  return tokens.some(([name]) => name === flag) || (variable !== undefined && Boolean(env[variable]))
}

function isSet(flag: FlagDefinition, key: string): boolean {
  const value: unknown = Reflect.get(flag, key)
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false
}

/** Returns the unparsed values of a flag, or null when oclif must parse them. */
function rawValues(
  flag: FlagDefinition,
  given: readonly (string | boolean)[],
  env: NodeJS.ProcessEnv,
): Token[1][] | null {
  if (typeof flag.default === 'function') return null
  const fromEnv = flag.env === undefined ? '' : (env[flag.env] ?? '')
  if (given.length === 0) {
    if (fromEnv === '') return flag.required ? null : []
    return flag.type === 'boolean' || flag.multiple || isUnknownOption(flag, fromEnv) ? null : [fromEnv]
  }
  if (flag.type === 'boolean') return given.slice(-1)
  if (given.length > 1 && !flag.multiple) return null
  const texts = given.map(String)
  if (flag.delimiter !== undefined && texts.some((text) => /["'\\]/.test(text))) return null
  const parts =
    flag.delimiter === undefined
      ? texts
      : texts.flatMap((text) => text.split(flag.delimiter ?? ',').map((part) => part.trim()))
  return parts.some((part) => isUnknownOption(flag, part)) ? null : parts
}

function isUnknownOption({ options }: FlagDefinition, text: string): boolean {
  return options !== undefined && !options.includes(text)
}

async function parse(flag: FlagDefinition, name: string, value: string | boolean): Promise<unknown> {
  return typeof flag.parse === 'function' ? flag.parse(value, {}, { ...flag, name }) : value
}
