/** What the quick reader needs to know of a flag; oclif's own definitions and its manifest both say it. */
interface FlagShape {
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

interface ArgShape {
  readonly required?: boolean
  readonly default?: unknown
  readonly multiple?: boolean
  readonly options?: readonly string[]
}

/** The flags and arguments of a command. */
export interface CommandShape {
  readonly flags: Readonly<Record<string, object>>
  readonly args: Readonly<Record<string, object>>
  readonly strict?: boolean | undefined
}

/** What a command line says, as oclif's parser gives it. */
export interface CommandLine {
  readonly args: Readonly<Record<string, string>>
  readonly argv: readonly string[]
  readonly flags: Readonly<Record<string, unknown>>
}

type Env = Readonly<Record<string, string | undefined>>
type Flags = Readonly<Record<string, FlagShape>>
type Token = readonly [name: string, value: string | boolean]

/** What only oclif judges: of a flag that has a value, and of any flag at all. */
const RELATIONS = ['dependsOn', 'relationships', 'combinable']
const UNUSUAL = [
  'aliases',
  'charAliases',
  'allowStdin',
  'deprecated',
  'defaultHelp',
  'exactlyOne',
  'atLeastOne',
]

/**
 * Reads a plain command line the way oclif's parser does, without loading it; null when there is anything about it
 * that is wrong or out of the ordinary, which is then oclif's to judge.
 */
export async function readCommandLine(
  { flags: given, args, strict = true }: CommandShape,
  argv: readonly string[],
  env: Env,
): Promise<CommandLine | null> {
  const flags = given as Flags
  const split = splitTokens(flags, argv)
  if (split === null || !strict) return null
  // oclif puts a word that is a flag's value too in the place of the first of them.
  if (split.words.some((text, index) => argv.indexOf(text) < argv.indexOf(split.words[index - 1] ?? text)))
    return null
  const words = wordsFrom(args as Readonly<Record<string, ArgShape>>, split.words)
  const values = await flagValues(flags, split.tokens, env)
  return words === null || values === null ? null : { args: words, argv: split.words, flags: values }
}

interface Split {
  readonly words: readonly string[]
  readonly tokens: readonly Token[]
}

function splitTokens(flags: Flags, argv: readonly string[]): Split | null {
  const words: string[] = []
  const tokens: Token[] = []
  for (let at = 0; at < argv.length; at += 1) {
    const text = argv[at] ?? ''
    if (!isLikeFlag(text)) {
      words.push(text)
      continue
    }
    const found = findFlag(flags, text)
    if (found === null) return null
    const { name, value } = found
    if (value !== undefined) {
      tokens.push([name, value])
      continue
    }
    at += 1
    const next = argv[at]
    if (next === undefined || isLikeFlag(next)) return null
    tokens.push([name, next])
  }
  return { words, tokens }
}

function isLikeFlag(text: string): boolean {
  return text.startsWith('-') && text !== '-'
}

interface Found {
  readonly name: string
  /** Undefined when the next word is the value. */
  readonly value?: string | boolean
}

function findFlag(flags: Flags, text: string): Found | null {
  const [, name = '', value] = /^--([a-z0-9-]+)(?:=(.*))?$/s.exec(text) ?? []
  if (name === '') return findShortFlag(flags, text)
  const flag = own(flags, name)
  if (value !== undefined) return flag?.type === 'option' && !isLikeFlag(value) ? { name, value } : null
  if (flag?.type === 'option') return { name }
  if (flag?.type === 'boolean') return { name, value: true }
  const negated = name.startsWith('no-') ? name.slice(3) : ''
  return own(flags, negated)?.allowNo === true ? { name: negated, value: false } : null
}

function findShortFlag(flags: Flags, text: string): Found | null {
  if (!/^-[A-Za-z]$/.test(text)) return null
  const [name, flag] = Object.entries(flags).find(([, { char }]) => char === text[1]) ?? []
  if (name === undefined) return null
  return flag?.type === 'boolean' ? { name, value: true } : { name }
}

function own(flags: Flags, name: string): FlagShape | undefined {
  return Object.hasOwn(flags, name) ? flags[name] : undefined
}

function wordsFrom(
  args: Readonly<Record<string, ArgShape>>,
  words: readonly string[],
): Record<string, string> | null {
  const entries = Object.entries(args)
  const isPlain = entries.every(([, arg]) => !arg.multiple && !arg.options && arg.default === undefined)
  const least = entries.filter(([, { required }]) => required).length
  if (!isPlain || words.length > entries.length || words.length < least) return null
  return Object.fromEntries(words.map((text, index) => [entries[index]?.[0] ?? '', text]))
}

async function flagValues(
  flags: Flags,
  tokens: readonly Token[],
  env: Env,
): Promise<Record<string, unknown> | null> {
  const values: Record<string, unknown> = {}
  for (const [name, flag] of Object.entries(flags)) {
    const given = tokens.flatMap(([token, value]) => (token === name ? [value] : []))
    if (UNUSUAL.some((key) => isSaid(flag, key))) return null
    const raw = rawValues(flag, given, env)
    if (raw === null || (raw.length > 0 && RELATIONS.some((key) => isSaid(flag, key)))) return null
    if (raw.length > 0 && flag.exclusive?.some((other) => isGiven(flags, { other, tokens, env }))) return null
    const parsed = await Promise.all(raw.map((one) => parse(flag, name, one)))
    const value = flag.multiple ? parsed : parsed[0]
    if (raw.length > 0) values[name] = value
    else if (flag.default !== undefined) values[name] = flag.default
  }
  return values
}

interface Beside {
  readonly other: unknown
  readonly tokens: readonly Token[]
  readonly env: Env
}

function isGiven(flags: Flags, { other, tokens, env }: Beside): boolean {
  if (typeof other !== 'string') return true
  const variable = own(flags, other)?.env
  return tokens.some(([name]) => name === other) || (variable !== undefined && Boolean(env[variable]))
}

function isSaid(flag: FlagShape, key: string): boolean {
  const value: unknown = Reflect.get(flag, key)
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false
}

// The values of one flag before they are parsed; null where oclif must judge.
function rawValues(flag: FlagShape, given: readonly (string | boolean)[], env: Env): Token[1][] | null {
  if (typeof flag.default === 'function') return null
  const named = flag.env === undefined ? '' : (env[flag.env] ?? '')
  if (given.length === 0) {
    if (named === '') return flag.required ? null : []
    return flag.type === 'boolean' || flag.multiple || isNoOption(flag, named) ? null : [named]
  }
  if (flag.type === 'boolean') return given.slice(-1)
  if (given.length > 1 && !flag.multiple) return null
  const texts = given.map(String)
  if (flag.delimiter !== undefined && texts.some((text) => /["'\\]/.test(text))) return null
  const parts =
    flag.delimiter === undefined
      ? texts
      : texts.flatMap((text) => text.split(flag.delimiter ?? ',').map((part) => part.trim()))
  return parts.some((part) => isNoOption(flag, part)) ? null : parts
}

function isNoOption({ options }: FlagShape, text: string): boolean {
  return options !== undefined && !options.includes(text)
}

async function parse(flag: FlagShape, name: string, value: string | boolean): Promise<unknown> {
  return typeof flag.parse === 'function' ? flag.parse(value, {}, { ...flag, name }) : value
}
