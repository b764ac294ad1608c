import type { Hook } from '@oclif/core/hooks'
import { nearestName } from '../../api/schema/spelling.ts'
import { UsageError } from '../errors/usage-error.ts'
import { jsonReport, reportOf, textReport } from '../output/error-report.ts'
import { EXIT_CODES } from '../output/exit-codes.ts'
import { createStyle, isColorWanted } from '../output/style.ts'

const MOST_WORDS = 3

/** Tells that there is no such command and which ones there are; oclif calls it by its name in package.json. */
export default async function commandNotFound({
  id,
  argv = [],
  config,
}: Parameters<Hook<'command_not_found'>>[0]): Promise<void> {
  const shown = config.commands.filter((one) => !one.hidden)
  const aliases = shown.flatMap((one) => one.aliases.map((alias) => [alias, one.id] as const))
  const ids = shown.map((one) => one.id)
  const error = misspelt(id.split(':'), ids, new Map(aliases))
  const report = reportOf(error, { command: config.bin })
  const style = createStyle(isColorWanted(undefined, process.env, process.stderr.isTTY === true))
  process.stderr.write(argv.includes('--json') ? jsonReport(report) : textReport(report, style))
  process.exitCode = EXIT_CODES.usage
}

/**
 * The error of a command that is not there, given the ids of those that are, such as `customers:create`, and their other
 * names with the ids they stand for.
 */
export function misspelt(
  words: readonly string[],
  ids: readonly string[],
  aliases: ReadonlyMap<string, string> = new Map(),
): UsageError {
  const all = [...ids, ...aliases.keys()]
  const nearest = meant(words, all)
  const hint = nearest === null ? null : `Did you mean '${spaced(aliases.get(nearest) ?? nearest)}'?`
  for (let length = words.length - 1; length > 0; length -= 1) {
    const known = words.slice(0, length).join(':')
    if (all.includes(known)) return superfluous(known, words.slice(length))
    const names = namesBelow(`${known}:`, ids)
    if (names.length > 0) return unknown(words, hint ?? `${spaced(known)} has: ${names.join(', ')}`)
  }
  return unknown(words, hint ?? `There are: ${namesBelow('', ids).join(', ')}`)
}

// Of what was typed, the words that name a command come first; the others would only be in the way.
function meant(words: readonly string[], ids: readonly string[]): string | null {
  const named = words.slice(0, MOST_WORDS)
  for (let length = named.length; length > 0; length -= 1) {
    const typed = named.slice(0, length)
    const near = ids.filter((id) => isNear(typed, id.split(':')))
    const nearest = nearestName(typed.join(':'), near)
    if (nearest !== null) return nearest
  }
  return null
}

// Each word for itself: a long one that is right makes no short one right.
function isNear(typed: readonly string[], names: readonly string[]): boolean {
  const isEachNear = typed.every((word, at) => nearestName(word, names.slice(at, at + 1)) !== null)
  return isEachNear && typed.length === names.length
}

function spaced(id: string): string {
  return id.replaceAll(':', ' ')
}

function namesBelow(prefix: string, ids: readonly string[]): string[] {
  const below = ids
    .filter((id) => id.startsWith(prefix))
    .map((id) => id.slice(prefix.length).split(':')[0] ?? '')
  return [...new Set(below)].sort()
}

function superfluous(id: string, extra: readonly string[]): UsageError {
  const command = spaced(id)
  return new UsageError('argument_unknown', `${command} takes no argument '${extra.join(' ')}'.`, {
    hint: `See paycli ${command} --help`,
  })
}

function unknown(words: readonly string[], hint: string): UsageError {
  return new UsageError('command_unknown', `There is no command '${words.join(' ')}'.`, { hint })
}
