/** What completion needs to know of a command; oclif's manifest says it. */
interface CompletedCommand {
  readonly aliases: readonly string[]
  readonly hidden?: boolean
  readonly flags: Readonly<
    Record<
      string,
      {
        readonly type: string
        readonly char?: string
        readonly options?: readonly string[]
        readonly allowNo?: boolean
      }
    >
  >
}

type Commands = Readonly<Record<string, CompletedCommand>>

/** What the last word of a command line can become; the words before it are whole. */
export function completionsOf(commands: Commands, words: readonly string[]): string[] {
  const last = words.at(-1) ?? ''
  const before = words.slice(0, -1)
  const names = before.filter((word) => !word.startsWith('-'))
  const command = commandAt(commands, names)
  const candidates =
    command === null ? nextWords(commands, before) : flagWords(command, before.at(-1) ?? '', last)
  return candidates.filter((word) => word.startsWith(last)).sort()
}

function commandAt(commands: Commands, words: readonly string[]): CompletedCommand | null {
  for (let length = words.length; length > 0; length -= 1) {
    const id = words.slice(0, length).join(':')
    const found = Object.hasOwn(commands, id) ? commands[id] : byAlias(commands, id)
    if (found !== undefined) return found
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

function flagWords({ flags }: CompletedCommand, previous: string, last: string): string[] {
  const asked = Object.entries(flags).find(
    ([name, { char }]) => previous === `--${name}` || (char !== undefined && previous === `-${char}`),
  )?.[1]
  if (asked?.type === 'option') return [...(asked.options ?? [])]
  if (!last.startsWith('-')) return []
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
