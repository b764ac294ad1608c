import type { Command } from '@oclif/core'
import type { Hook } from '@oclif/core/hooks'
import { findResourceOfId, RESOURCES } from '../../api/resources/catalog.ts'
import { findNearestName } from '../../api/schema/spelling.ts'
import { UsageError } from '../errors/usage-error.ts'
import { createErrorReport, formatJsonErrorReport, formatTextErrorReport } from '../output/error-report.ts'
import { EXIT_CODES } from '../output/exit-codes.ts'
import { getStderrWidth } from '../output/output.ts'
import { findCommandForStripeCommand } from '../output/stripe-names.ts'
import { createStyle, isColorEnabled } from '../output/style.ts'

const MAX_NAME_WORDS = 3
/** Matches the separator of oclif between words, but not the colons of a URL, such as the colon before a port. */
const NAME_SEPARATOR = /:(?!\/\/)(?!(?<=:\/\/[^:/]*:)\d)/

/** The hook of oclif for unknown commands, registered in package.json. It prints an error with suggestions. */
export default async function commandNotFound({
  id,
  argv = [],
  config,
}: Parameters<Hook<'command_not_found'>>[0]): Promise<void> {
  const visible = config.commands.filter((one) => !one.hidden)
  const aliases = visible.flatMap((one) => one.aliases.map((alias) => [alias, one.id] as const))
  const ids = visible.map((one) => one.id)
  const examples = new Map(visible.map((one) => [one.id, toExample(one)]))
  const error = createUnknownCommandError(id.split(NAME_SEPARATOR), ids, new Map(aliases), examples)
  const report = createErrorReport(error, { command: config.bin })
  const style = createStyle(isColorEnabled(undefined, process.env, process.stderr.isTTY === true))
  process.stderr.write(
    argv.includes('--json')
      ? formatJsonErrorReport(report)
      : formatTextErrorReport(report, style, getStderrWidth()),
  )
  process.exitCode = EXIT_CODES.usage
}

/**
 * Returns the error for an unknown command. `ids` are the existing commands, such as `customers:create`, `aliases` maps
 * alternative names to ids, and `examples` maps ids to complete commands.
 */
export function createUnknownCommandError(
  words: readonly string[],
  ids: readonly string[],
  aliases: ReadonlyMap<string, string> = new Map(),
  examples: ReadonlyMap<string, string> = new Map(),
): UsageError {
  const [first = ''] = words
  if (first.startsWith('-'))
    return commandError(words, `Write flags after the command, such as paycli customers list ${first}`)
  if (first.includes('.')) {
    const typed = first.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).split('.')
    return commandError(words, createUnknownCommandError(typed, ids, aliases, examples).hint ?? '')
  }
  const all = [...ids, ...aliases.keys()]
  const stripe = findCommandForStripeCommand(words)
  if (stripe !== null) return commandError(words, stripeHint(stripe, { ids, aliases, examples }))
  const nearest = findNearestCommand(words, all)
  const hint = nearest === null ? null : `Did you mean '${withSpaces(aliases.get(nearest) ?? nearest)}'?`
  for (let length = words.length - 1; length > 0; length -= 1) {
    const known = words.slice(0, length).join(':')
    if (all.includes(known)) return extraArgumentsError(known, words.slice(length))
    const names = childNames(`${known}:`, ids)
    if (names.length > 0)
      return commandError(words, hint ?? `Commands of ${withSpaces(known)}: ${names.join(', ')}`)
  }
  return commandError(words, hint ?? topicHint(words, ids))
}

type StripeCommand = NonNullable<ReturnType<typeof findCommandForStripeCommand>>

interface KnownCommands {
  readonly ids: readonly string[]
  readonly aliases: ReadonlyMap<string, string>
  readonly examples: ReadonlyMap<string, string>
}

/** Returns the command for a command of Stripe, with an example, or the commands of its topic. */
function stripeHint({ words, reason }: StripeCommand, { ids, aliases, examples }: KnownCommands): string {
  const why = reason === undefined ? '' : `${reason}. `
  for (let length = words.length; length > 0; length -= 1) {
    const name = words.slice(0, length).join(':')
    const id = aliases.get(name) ?? name
    const example = examples.get(id) ?? `paycli ${withSpaces(id)}`
    // The first example of a list has a filter.
    if (ids.includes(id))
      return `${why}Use: ${id.endsWith(':list') ? example.replace(/ --.*$/, '') : example}`
    const names = childNames(`${name}:`, ids)
    if (names.length > 0) return `${why}Did you mean '${withSpaces(name)}'? Its commands: ${names.join(', ')}`
  }
  return topicHint(words, ids)
}

function toExample({ id, examples = [] }: Pick<Command.Loadable, 'id' | 'examples'>): string {
  const command = `paycli ${withSpaces(id)}`
  return String(examples[0] ?? command).replace('<%= config.bin %> <%= command.id %>', command)
}

// A misspelt topic, such as `payment`, is not similar to any complete command.
function topicHint(words: readonly string[], ids: readonly string[]): string {
  const names = childNames('', ids)
  const [first = ''] = words
  const resource = first.replaceAll('-', '_').replace(/s?$/, 's')
  const known = RESOURCES.find(({ name }) => name === resource)?.topic
  const topic = known ?? findNearestName(first, names)
  const id = words.find((word) => findResourceOfId(word) !== undefined)
  const ofId = id === undefined ? undefined : findResourceOfId(id)?.topic
  if (!['create', 'list'].includes(first) && ids.includes(`${ofId}:${first}`))
    return `Use: paycli ${ofId} ${first} ${id}`
  if (topic === null)
    return id === undefined ? `Commands: ${names.join(', ')}` : `See the object: paycli get ${id}`
  return `Did you mean '${topic}'? Its commands: ${childNames(`${topic.replaceAll(' ', ':')}:`, ids).join(', ')}`
}

// The first words name the command. Arguments after them would only prevent a match.
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

// Compares word by word: a correct long word must not compensate for a wrong short word.
function isNear(typed: readonly string[], names: readonly string[]): boolean {
  const isEachNear = typed.every((word, at) => findNearestName(word, names.slice(at, at + 1)) !== null)
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
