interface Flag {
  readonly description?: string
  readonly char?: string
  readonly hidden?: boolean
  readonly type: string
  readonly helpGroup?: string
  readonly helpValue?: string
  readonly options?: readonly string[]
  readonly default?: unknown
  readonly allowNo?: boolean
}

interface Command {
  readonly id: string
  readonly aliases: readonly string[]
  readonly hidden?: boolean
  readonly summary?: string
  readonly description?: string
  readonly usage?: string
  readonly examples?: readonly string[]
  readonly args: Readonly<
    Record<string, { readonly required?: boolean; readonly hidden?: boolean; readonly description?: string }>
  >
  readonly flags: Readonly<Record<string, Flag>>
}

/** A longer list of values is printed only for the first flag with these values. */
const MAX_REPEATED_OPTIONS = 8
const REMEDY = 'run npm run manifest'

/** Returns the command reference in Markdown, generated from the manifest. */
export function commandReference(manifest: string): string {
  const { commands } = JSON.parse(manifest) as { readonly commands: Readonly<Record<string, Command>> }
  const shown = Object.values(commands)
    .filter(({ hidden }) => hidden !== true)
    .sort((a, b) => (a.id < b.id ? -1 : 1))
  const globals = Object.entries(commands['customers:list']?.flags ?? {}).filter(isGlobal)
  return [
    '# Commands',
    '',
    'Generated from the commands by `npm run manifest`. `paycli <command> --help` prints the same.',
    '',
    ...shown.map(
      ({ id, summary }) =>
        `- [\`${nameOf(id)}\`](#${nameOf(id).replaceAll(' ', '-')}) ${escaped(summary ?? '')}`,
    ),
    '',
    '## Flags of every command that calls the server',
    '',
    ...globals.map(flagLine),
    '',
    ...shown.flatMap(section),
  ].join('\n')
}

function section(command: Command): string[] {
  const { id, summary = '', description, aliases, args, examples = [], usage } = command
  const words = Object.entries(args).flatMap(([name, { required, hidden }]) =>
    hidden ? [] : required ? `<${name}>` : `[${name}]`,
  )
  const own = Object.entries(command.flags).filter((entry) => !isGlobal(entry) && entry[1].hidden !== true)
  const line = usage ?? [nameOf(id), ...words, ...(own.length > 0 ? ['[flags]'] : [])].join(' ')
  return [
    `## ${nameOf(id)}`,
    '',
    escaped(summary),
    ...(description === undefined ? [] : ['', escaped(description)]),
    '',
    `\`paycli ${line}\`${aliases.length === 0 ? '' : `, also ${aliases.map((one) => `\`${nameOf(one)}\``).join(', ')}`}`,
    '',
    ...(own.length === 0 ? [] : [...withoutRepeatedOptions(own).map(flagLine), '']),
    '```sh',
    ...examples.map((text) =>
      text.replaceAll('<%= config.bin %>', 'paycli').replaceAll('<%= command.id %>', nameOf(id)),
    ),
    '```',
    '',
  ]
}

/** Replaces a long list of values that repeats the list of an earlier flag. */
function withoutRepeatedOptions(flags: readonly (readonly [string, Flag])[]): (readonly [string, Flag])[] {
  const listedAt = new Map<string, string>()
  return flags.map(([name, { options, ...flag }]) => {
    const values = options?.join('|') ?? ''
    const first = listedAt.get(values)
    if (options !== undefined && options.length > MAX_REPEATED_OPTIONS) listedAt.set(values, first ?? name)
    if (first === undefined) return [name, options === undefined ? flag : { ...flag, options }]
    return [name, { ...flag, description: `${flag.description ?? ''} Values as for --${first}.` }]
  })
}

function isGlobal([, { helpGroup }]: readonly [string, Flag]): boolean {
  return helpGroup === 'GLOBAL'
}

function flagLine([name, flag]: readonly [string, Flag]): string {
  const { char, type, allowNo, helpValue = '<value>', options, description = '' } = flag
  const long = allowNo === true ? `--[no-]${name}` : `--${name}`
  const value = type === 'boolean' ? '' : ` ${options === undefined ? helpValue : options.join('|')}`
  const text = escaped(withDefault(description, flag.default))
  return `- \`${char === undefined ? '' : `-${char}, `}${long}${value}\` ${text}`
}

/** Adds the default to the first sentence, in the form of the descriptions. */
function withDefault(description: string, value: unknown): string {
  return value === undefined
    ? description
    : description.replace(/\.(?= |$)/, () => ` (default: ${String(value)}).`)
}

function nameOf(id: string): string {
  return id.replaceAll(':', ' ')
}

// Markdown would read < as a tag and * as emphasis.
function escaped(text: string): string {
  return text.replaceAll('<', '\\<').replaceAll('*', '\\*')
}

/** Returns a problem if the reference in the repository differs from the manifest. */
export function commandReferenceProblems(manifest: string, reference: string | undefined): string[] {
  if (reference === undefined) return [`there is no .github/COMMANDS.md: ${REMEDY}`]
  return reference === commandReference(manifest) ? [] : [`.github/COMMANDS.md is stale: ${REMEDY}`]
}
