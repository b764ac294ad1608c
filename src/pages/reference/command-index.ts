import { readBuiltFile } from '../view/built-file.ts'

interface ManifestCommand {
  readonly id: string
  readonly hidden?: boolean
  readonly summary?: string
  readonly examples?: readonly string[]
}

const MAX_EXAMPLES = 3

/** Returns every command with its summary by topic, and up to three examples of each topic. */
export function formatCommandIndex(): string {
  // The manifest is in the package root, two folders above the built files.
  const { commands } = JSON.parse(readBuiltFile('../../oclif.manifest.json')) as {
    readonly commands: Readonly<Record<string, ManifestCommand>>
  }
  const shown = Object.values(commands).filter(({ hidden }) => hidden !== true)
  const topics = Map.groupBy(shown, ({ id }) => (id.includes(':') ? id.slice(0, id.indexOf(':')) : ''))
  const parts = [...topics]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([topic, members]) => {
      const lines = members.map(({ id, summary }) => `- ${wordsOf(id)}: ${summary}`)
      return `## ${topic === '' ? 'paycli' : `paycli ${topic}`}\n\n${lines.join('\n')}\n\n${examplesOf(members).join('\n')}\n`
    })
  return `# Commands of paycli\n\n\`paycli help <command> --json\` prints flags, examples and exit codes.\n\n${parts.join('\n')}`
}

/** Returns the words of a command id after its topic. */
function wordsOf(id: string): string {
  return id.slice(id.indexOf(':') + 1).replaceAll(':', ' ')
}

/** Returns the longest examples, because they show the most flags, from different commands if possible. */
function examplesOf(commands: readonly ManifestCommand[]): string[] {
  const all = commands.flatMap(({ id, examples = [] }) =>
    examples.map((text, index) => ({
      index,
      text: text.replaceAll('<%= command.id %>', id.replaceAll(':', ' ')),
    })),
  )
  return all
    .sort((a, b) => Math.min(a.index, 1) - Math.min(b.index, 1) || b.text.length - a.text.length)
    .slice(0, MAX_EXAMPLES)
    .map(({ text }) => `    ${text.replaceAll('<%= config.bin %>', 'paycli')}`)
}
