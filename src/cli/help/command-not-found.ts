import type { Command } from '@oclif/core'
import type { Hook } from '@oclif/core/hooks'
import { findResourceOfId, RESOURCES } from '../../api/resources/catalog.ts'
import { findNearestName } from '../../api/schema/spelling.ts'
import { quoteForShell } from '../../domain/text/shell-quote.ts'
import { UsageError } from '../errors/usage-error.ts'
import { createErrorReport, writeErrorReport } from '../output/error-report.ts'
import { EXIT_CODES } from '../output/exit-codes.ts'
import { findCommandForStripeCommand } from '../output/stripe-names.ts'

const MAX_NAME_WORDS = 3
/** Matches the separator of oclif between words, but not the colons of a URL, such as the colon before a port. */
const NAME_SEPARATOR = /:(?!\/\/)(?!(?<=:\/\/[^:/]*:)\d)/

/** A word of a command name, in contrast to an id, a path or another argument. */
const NAME = /^[a-z][a-z_-]*$/i

interface KnownCommands {
  /** The existing commands, such as `customers:create`. */
  readonly ids: readonly string[]
  /** The ids by alternative name. */
  readonly aliases?: ReadonlyMap<string, string>
  /** Complete commands by id. */
  readonly examples?: ReadonlyMap<string, string>
}

/** The hook of oclif for unknown commands, registered in package.json. The hook prints an error with suggestions. */
export default async function commandNotFound({
  id,
  argv = [],
  config,
}: Parameters<Hook<'command_not_found'>>[0]): Promise<void> {
  const visible = config.commands.filter((one) => !one.hidden)
  const error = createUnknownCommandError(
    [...id.split(NAME_SEPARATOR), ...argv.filter((word) => !/^(?:--help|-h)$/.test(word))],
    {
      ids: visible.map((one) => one.id),
      aliases: new Map(visible.flatMap((one) => one.aliases.map((alias) => [alias, one.id]))),
      examples: new Map(visible.map((one) => [one.id, toExample(one)])),
    },
  )
  writeErrorReport(createErrorReport(error, { command: config.bin }), argv.includes('--json'))
  process.exitCode = EXIT_CODES.usage
}

/** Returns the error for a command line whose first words name no command. Hints repeat the arguments and flags. */
export function createUnknownCommandError(line: readonly string[], known: KnownCommands): UsageError {
  const { ids, aliases = new Map(), examples = new Map() } = known
  const [first = ''] = line
  const all = [...ids, ...aliases.keys()]
  if (first.startsWith('-')) return misplacedFlagError(line, ids)
  if (first === 'version') return commandError([first], 'Use: npx paycli --version')
  const firstOther = line.findIndex((word) => !NAME.test(word))
  const words = line.slice(0, firstOther === -1 ? line.length : Math.max(1, firstOther))
  const rest = line.slice(words.length)
  if (first.includes('.')) {
    const typed = first.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).split('.')
    if (all.includes(typed.join(':'))) return commandError(words, `Use: ${toCommand(typed.join(':'), rest)}`)
    return commandError(words, createUnknownCommandError([...typed, ...rest], known).hint ?? '')
  }
  const stripe = findCommandForStripeCommand(words)
  if (stripe !== null) return commandError(words, stripeHint(stripe, { ids, aliases, examples }))
  const [verb = '', noun = '', ...others] = words
  // The topic is the first word: `create customer` means `customers create`.
  const nearest = findNearestCommand(words, all) ?? findNearestCommand([noun, verb, ...others], all)
  const hint =
    nearest === null
      ? null
      : `Did you mean: ${toCommand(aliases.get(nearest) ?? nearest, line.slice(nearest.split(':').length))}`
  for (let length = words.length; length > 0; length -= 1) {
    const name = words.slice(0, length).join(':')
    const after = line.slice(length)
    if (all.includes(name)) return extraArgumentsError(name, after)
    const names = childNames(`${name}:`, ids)
    if (names.length > 0)
      return commandError(
        words,
        (nearest?.startsWith(`${name}:`) ? hint : null) ??
          argumentHint(name, after, names) ??
          `Commands of ${withSpaces(name)}: ${names.join(', ')}`,
      )
  }
  return commandError(words, hint ?? topicHint(words, rest, ids))
}

function misplacedFlagError(line: readonly string[], ids: readonly string[]): UsageError {
  const start = line.findIndex(
    (_word, at) => at > 0 && ids.some((id) => `${line.slice(at).join(':')}:`.startsWith(`${id}:`)),
  )
  const [flag = '', value = '-'] = line
  const flags = start === -1 ? (value.startsWith('-') ? [flag] : [flag, value]) : line.slice(0, start)
  const command = start === -1 ? ['customers', 'list'] : line.slice(start)
  return new UsageError('command_unknown', `The flag ${flag} is before the command.`, {
    hint: `Write flags after the command, such as ${toCommand(command.join(':'), flags)}`,
  })
}

/** Returns the complete command for a topic that is followed by an argument, such as `customers cus_1`, or null. */
function argumentHint(
  topic: string,
  [argument = '-', ...rest]: readonly string[],
  names: readonly string[],
): string | null {
  const action = findResourceOfId(argument) === undefined ? 'run' : 'retrieve'
  const isArgument = !argument.startsWith('-') && !NAME.test(argument) && names.includes(action)
  return isArgument ? `Use: ${toCommand(`${topic}:${action}`, [argument, ...rest])}` : null
}

function toCommand(id: string, rest: readonly string[]): string {
  return [
    'paycli',
    ...id.split(':'),
    ...rest.map((word) => (word.startsWith('-') ? word : quoteForShell(word))),
  ].join(' ')
}

type StripeCommand = NonNullable<ReturnType<typeof findCommandForStripeCommand>>

/** Returns the command for a command of Stripe, with an example, or the commands of its topic. */
function stripeHint(
  { words, reason }: StripeCommand,
  { ids, aliases, examples }: Required<KnownCommands>,
): string {
  const why = reason === undefined ? '' : `${reason}. `
  for (let length = words.length; length > 0; length -= 1) {
    const name = words.slice(0, length).join(':')
    const id = aliases.get(name) ?? name
    const example = examples.get(id) ?? `paycli ${withSpaces(id)}`
    // The first example of a list has a filter, so remove the filter.
    if (ids.includes(id))
      return `${why}Use: ${id.endsWith(':list') ? example.replace(/ --.*$/, '') : example}`
    const names = childNames(`${name}:`, ids)
    if (names.length > 0) return `${why}Did you mean '${withSpaces(name)}'? Its commands: ${names.join(', ')}`
  }
  return topicHint(words, [], ids)
}

function toExample({ id, examples = [] }: Pick<Command.Loadable, 'id' | 'examples'>): string {
  const command = `paycli ${withSpaces(id)}`
  return String(examples[0] ?? command).replace('<%= config.bin %> <%= command.id %>', command)
}

// A misspelt topic, such as `payment`, is not similar to any complete command.
function topicHint(words: readonly string[], rest: readonly string[], ids: readonly string[]): string {
  const names = childNames('', ids)
  const [first = ''] = words
  const resource = first.replaceAll('-', '_').replace(/s?$/, 's')
  const known = RESOURCES.find(({ name }) => name === resource)?.topic
  const topic = known ?? findNearestName(first, names)
  const id = rest.find((word) => findResourceOfId(word) !== undefined)
  const ofId = id === undefined ? undefined : findResourceOfId(id)?.topic
  if (!['create', 'list'].includes(first) && ids.includes(`${ofId}:${first}`))
    return `Use: ${toCommand(`${ofId}:${first}`, rest)}`
  if (topic === null)
    return id === undefined ? 'List all commands: paycli help' : `See the object: paycli get ${id}`
  return `Did you mean '${topic}'? Its commands: ${childNames(`${topic.replaceAll(' ', ':')}:`, ids).join(', ')}`
}

// The first words name the command. Further arguments would only prevent a match.
function findNearestCommand(words: readonly string[], ids: readonly string[]): string | null {
  const named = words.slice(0, MAX_NAME_WORDS)
  for (let length = named.length; length > 0; length -= 1) {
    const typed = named.slice(0, length)
    const near = ids.filter((id) => isNear(typed, id.split(':')))
    const nearest = findNearestName(typed.join(':'), near)
    if (nearest !== null) return nearest
  }
  return null
}

// Compares word by word: a correct long word must not compensate for a wrong short word. `start` is not a misspelled `stats`.
function isNear(typed: readonly string[], names: readonly string[]): boolean {
  const isEachNear = typed.every((word, at) => findNearestName(word, names.slice(at, at + 1), 1 / 3) !== null)
  return isEachNear && typed.length === names.length
}

function withSpaces(id: string): string {
  return id.replaceAll(':', ' ')
}

function childNames(prefix: string, ids: readonly string[]): string[] {
  const below = ids
    .filter((id) => id.startsWith(prefix))
    .map((id) => id.slice(prefix.length).split(':')[0] ?? '')
  return [...new Set(below)].sort()
}

function extraArgumentsError(id: string, extra: readonly string[]): UsageError {
  const command = withSpaces(id)
  return new UsageError(
    'argument_unknown',
    `Unexpected argument '${extra.join(' ')}': ${command} has no such argument.`,
    {
      hint: `See paycli ${command} --help`,
    },
  )
}

function commandError(words: readonly string[], hint: string): UsageError {
  return new UsageError('command_unknown', `Unknown command '${words.join(' ')}'.`, { hint })
}
