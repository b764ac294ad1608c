import { isTerminal, printData, terminalWidth } from '../output/output.ts'
import { createStyle, isColorWanted, type Style } from '../output/style.ts'

/** What the overview of all commands is made of: as much of package.json and of the manifest as it takes. */
export interface Overview {
  readonly description: string
  readonly version: string
  readonly topics: Readonly<Record<string, { readonly description: string }>>
  readonly commands: readonly Listed[]
}

interface Listed {
  readonly id: string
  readonly summary?: string
  readonly hidden?: boolean
}

const NARROWEST = 40
const WIDEST = 100
const WITHOUT_TERMINAL = 80
const INDENT = 2
const GAP = 2

/** The way from nothing to a sale that a handler hears of. */
const FIRST_STEPS: readonly (readonly [words: string, what: string])[] = [
  ['serve', 'start it; all else in another terminal'],
  ['customers create --email ada@example.com', 'who buys'],
  ["checkout create --customer cus_… --currency eur --item 'Rent:100000' --interval month", 'a subscription'],
  ['checkout complete cks_… --card visa', 'bought without a browser'],
  [
    'payments create --customer cus_… --amount 1250 --currency eur --return-url https://example.com --wait',
    'one payment, until it is paid',
  ],
  ['payments open py_sess_…', 'its page in the browser'],
  ['listen --forward-to 3000/webhooks', 'events as they happen, sent to your handler'],
]

/** Prints the overview for a terminal of this one's width. */
export function printOverview(root: URL): void {
  const columns = isTerminal() ? terminalWidth() : WITHOUT_TERMINAL
  const style = createStyle(isColorWanted(undefined, process.env, isTerminal()))
  printData(renderOverview(readOverview(root), Math.max(NARROWEST, Math.min(columns, WIDEST)), style))
}

function readOverview(root: URL): Overview {
  const { readFileSync } = process.getBuiltinModule('node:fs')
  const read = (name: string) => JSON.parse(readFileSync(new URL(name, root), 'utf8'))
  const { description, version, oclif } = read('package.json')
  const { commands } = read('oclif.manifest.json')
  return { description, version, topics: oclif.topics, commands: Object.values(commands) }
}

/** The overview in so many columns. */
export function renderOverview(
  { description, version, topics, commands }: Overview,
  columns: number,
  style: Style,
): string {
  const own = commands.filter(({ id, hidden }) => hidden !== true && !id.includes(':'))
  const listed = own.map(({ id, summary = '' }): [string, string] => [id, summary])
  const grouped = Object.entries(topics).map(([name, topic]): [string, string] => [name, topic.description])
  const steps = FIRST_STEPS.map(([words, what]) => `  ${style.dim(`# ${what}`)}\n  $ paycli ${words}`)
  const sections = [
    ['VERSION', `  paycli/${version} ${process.platform}-${process.arch} node-${process.version}`],
    ['USAGE', '  $ paycli COMMAND\n  $ paycli COMMAND --help'],
    ['FIRST STEPS', steps.join('\n')],
    ['TOPICS', table(grouped, columns)],
    ['COMMANDS', table(listed, columns)],
  ]
  const texts = sections.map(([title = '', body = '']) => `${style.bold(title)}\n${body}\n`)
  return `${[`${wrapped(description, columns).join('\n')}\n`, ...texts].join('\n')}\n`
}

function table(rows: readonly (readonly [name: string, what: string])[], columns: number): string {
  const sorted = rows.toSorted(([a], [b]) => (a < b ? -1 : 1))
  const nameWidth = Math.max(...sorted.map(([name]) => name.length))
  const margin = ' '.repeat(INDENT + nameWidth + GAP)
  return sorted
    .map(([name, what]) => {
      const lines = wrapped(what, columns - margin.length)
      return `${' '.repeat(INDENT)}${name.padEnd(nameWidth + GAP)}${lines.join(`\n${margin}`)}`
    })
    .join('\n')
}

function wrapped(text: string, columns: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const line = lines.at(-1)
    const joined = line === undefined ? word : `${line} ${word}`
    if (line === undefined || joined.length > columns) lines.push(word)
    else lines[lines.length - 1] = joined
  }
  return lines
}
