import { valuesOfArgument, valuesOfFlag } from './completion-values.ts'

/** What completion needs to know of a command; oclif's manifest says it. */
interface CompletedCommand {
  readonly aliases: readonly string[]
  readonly hidden?: boolean
  readonly args: Readonly<Record<string, unknown>>
  readonly flags: Readonly<
    Record<
      string,
      {
        readonly type: string
        readonly char?: string
        readonly options?: readonly string[]
        readonly helpValue?: string
        readonly allowNo?: boolean
      }
    >
  >
}

type Commands = Readonly<Record<string, CompletedCommand>>

/** A command that words name, and the words behind its name. */
interface Named {
  readonly command: CompletedCommand
  readonly rest: readonly string[]
}

/** What the last word of a command line can become; the words before it are whole. */
export function completionsOf(commands: Commands, words: readonly string[]): string[] {
  const last = words.at(-1) ?? ''
  const before = words.slice(0, -1)
  const named = commandAt(commands, before)
  const candidates = named === null ? nextWords(commands, before) : wordsOf(named, last)
  return candidates.filter((word) => word.startsWith(last)).sort()
}

function commandAt(commands: Commands, before: readonly string[]): Named | null {
  const names = before.filter((word) => !word.startsWith('-'))
  for (let length = names.length; length > 0; length -= 1) {
    const id = names.slice(0, length).join(':')
    const command = Object.hasOwn(commands, id) ? commands[id] : byAlias(commands, id)
    if (command !== undefined)
      return { command, rest: before.slice(before.indexOf(names[length - 1] ?? '') + 1) }
  }
  return null
}

function byAlias(commands: Commands, id: string): CompletedCommand | undefined {
  return Object.values(commands).find(({ aliases }) => aliases.includes(id))
}

function nextWords(commands: Commands, before: readonly string[]): string[] {
  const prefix = before.map((word) => `${word}:`).join('')
  const shown = Object.entries(commands).filter(([, { hidden }]) => hidden !== true)
  const below = shown
    .filter(([id]) => id.startsWith(prefix))
    .map(([id]) => id.slice(prefix.length).split(':')[0])
  return [...new Set(below.filter((name) => name !== undefined && name !== ''))] as string[]
}

function wordsOf({ command, rest }: Named, last: string): string[] {
  const { flags, args } = command
  const asked = flagAt(flags, rest.at(-1))
  if (asked !== undefined) {
    const [name, { options, helpValue }] = asked
    return [...(options ?? valuesOfFlag(name, helpValue))]
  }
  if (last.startsWith('-')) return flagNames(flags)
  const given = rest.filter((word, at) => !word.startsWith('-') && flagAt(flags, rest[at - 1]) === undefined)
  return [...valuesOfArgument(Object.keys(args)[given.length])]
}

/** The flag that takes the word behind this one. */
function flagAt(flags: CompletedCommand['flags'], previous: string | undefined) {
  return Object.entries(flags).find(
    ([name, { type, char }]) =>
      type === 'option' && (previous === `--${name}` || (char !== undefined && previous === `-${char}`)),
  )
}

function flagNames(flags: CompletedCommand['flags']): string[] {
  return Object.entries(flags).flatMap(([name, { allowNo }]) => [
    `--${name}`,
    ...(allowNo ? [`--no-${name}`] : []),
  ])
}

/** The shells there is completion for. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const

const ASK = 'paycli complete --'

const SCRIPTS: Readonly<Record<(typeof SHELLS)[number], string>> = {
  bash: `_paycli() {
  local IFS=$'\\n'
  COMPREPLY=($(${ASK} "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _paycli paycli
`,
  zsh: `#compdef paycli
_paycli() {
  local -a found
  found=("\${(@f)$(${ASK} "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "$found" ]]; then compadd -a found; else _files; fi
}
compdef _paycli paycli
`,
  fish: `complete -c paycli -f -a '(${ASK} (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
`,
}

/** The script that teaches a shell to complete paycli's words. */
export function completionScript(shell: (typeof SHELLS)[number]): string {
  return SCRIPTS[shell]
}
