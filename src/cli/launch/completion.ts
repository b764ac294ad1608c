import type { Command } from '@oclif/core'
import { FAULTABLE_OPERATIONS } from '../../api/resources/faultable-operations.ts'
import { TEST_CARDS } from '../../domain/cards/test-cards.ts'
import { IBAN_ALIASES } from '../../domain/cards/test-ibans.ts'
import { EVENT_TYPES } from '../../domain/core/event-types.ts'
import { FAULT_TYPES_BY_KIND } from '../../domain/faults/faults.ts'
import { findCommand } from './launch.ts'

const EVENT_TYPE_FLAGS: ReadonlySet<string> = new Set(['type', 'types', 'events', 'enabled-events'])

type Commands = Readonly<Record<string, Command.Cached>>
type Flags = Command.Cached['flags']

/** Returns the completions of the last word of a command line. `sandboxes` returns the names of the stored sandboxes. */
export function findCompletions(
  commands: Commands,
  words: readonly string[],
  sandboxes: () => readonly string[] = () => [],
): string[] {
  const last = words.at(-1) ?? ''
  const before = words.slice(0, -1)
  const lookUp = (id: string) =>
    Object.values(commands).find((one) => one.id === id || one.aliases.includes(id)) ?? null
  const match = findCommand(lookUp, before)
  const candidates =
    match === null ? commandNames(commands, before, last !== '') : argumentWords(match, last, sandboxes)
  return candidates.filter((word) => word.startsWith(last)).sort()
}

/** Returns the next words of command names, and of aliases if requested. */
function commandNames(commands: Commands, before: readonly string[], hasAliases: boolean): string[] {
  const prefix = before.map((word) => `${word}:`).join('')
  const visible = Object.entries(commands).filter(([, { hidden }]) => hidden !== true)
  const names = visible
    .flatMap(([id, { aliases }]) => (hasAliases ? [id, ...aliases] : [id]))
    .filter((id) => id.startsWith(prefix))
    .map((id) => id.slice(prefix.length).split(':')[0])
  return [...new Set(names.filter((name) => name !== undefined && name !== ''))] as string[]
}

function argumentWords(
  { command, rest }: { readonly command: Command.Cached; readonly rest: readonly string[] },
  last: string,
  sandboxes: () => readonly string[],
): string[] {
  const { flags, args } = command
  const flag = findValueFlag(flags, rest.at(-1))
  if (flag?.type === 'option') {
    const { name, options, helpValue } = flag
    if (name === 'sandbox') return ['default', ...sandboxes()]
    return [...(options ?? flagValueCandidates(name, helpValue))]
  }
  if (last.startsWith('-')) return flagNames(flags)
  const previous = rest.filter(
    (word, at) => !word.startsWith('-') && findValueFlag(flags, rest[at - 1]) === undefined,
  )
  return [...argumentCandidates(Object.keys(args)[previous.length])]
}

/** Returns the flag whose value follows the word `previous`. */
function findValueFlag(flags: Flags, previous: string | undefined) {
  return Object.values(flags).find(
    ({ name, type, char }) =>
      type === 'option' && (previous === `--${name}` || (char !== undefined && previous === `-${char}`)),
  )
}

function flagNames(flags: Flags): string[] {
  return Object.values(flags).flatMap((flag) => [
    `--${flag.name}`,
    ...(flag.type === 'boolean' && flag.allowNo ? [`--no-${flag.name}`] : []),
  ])
}

/** Returns the values of a flag without declared options: aliases of test cards, operations, or event types. */
function flagValueCandidates(name: string, helpValue: string | string[] | undefined): readonly string[] {
  if (name === 'card') return [...TEST_CARDS.map(({ alias }) => alias), ...IBAN_ALIASES]
  if (name === 'operation') return FAULTABLE_OPERATIONS
  // In other commands, --until takes a timestamp.
  const isEventType = EVENT_TYPE_FLAGS.has(name) || (name === 'until' && helpValue === '<event>')
  return isEventType ? EVENT_TYPES : []
}

/** Returns the values of an argument: shells, types of faults or event types; else an empty list. */
function argumentCandidates(name: string | undefined): readonly string[] {
  if (name === 'shell') return [...COMPLETION_SCRIPTS.keys()]
  if (name === 'fault') return Object.values(FAULT_TYPES_BY_KIND).flat()
  return name === 'event' || name === 'type' ? EVENT_TYPES : []
}

const COMPLETE_COMMAND = 'paycli complete --'

/** The completion scripts by shell. */
export const COMPLETION_SCRIPTS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    bash: `_paycli() {
  local IFS=$'\\n'
  COMPREPLY=($(${COMPLETE_COMMAND} "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _paycli paycli
`,
    zsh: `#compdef paycli
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
_paycli() {
  local -a found
  found=("\${(@f)$(${COMPLETE_COMMAND} "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "$found" ]]; then compadd -a found; else _files; fi
}
compdef _paycli paycli
`,
    fish: `complete -c paycli -f -a '(${COMPLETE_COMMAND} (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
`,
  }),
)
