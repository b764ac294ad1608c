import { wrapWords } from '../../domain/wrap-words.ts'
import { isTerminal, printData, terminalWidth } from '../output/output.ts'
import { createStyle, isColorEnabled, type Style } from '../output/style.ts'

/** The fields of package.json and of oclif's manifest that the overview shows. */
export interface Overview {
  readonly description: string
  readonly version: string
  readonly topics: Readonly<Record<string, { readonly description: string }>>
  readonly commands: readonly OverviewCommand[]
}

interface OverviewCommand {
  readonly id: string
  readonly summary?: string
  readonly hidden?: boolean
}

const MIN_WIDTH = 40
const MAX_WIDTH = 100
const DEFAULT_WIDTH = 80
const INDENT = 2
const GAP = 2

/** The steps from an empty database to a payment with a delivered webhook. */
const FIRST_STEPS: readonly (readonly [words: string, what: string])[] = [
  ['serve', 'start the server; run the other commands in another terminal'],
  ['customers create --email ada@example.com', 'create a customer'],
  [
    "checkout create --customer cus_… --currency eur --item 'Rent:100000' --interval month",
    'create a subscription checkout',
  ],
  ['checkout complete cks_… --card visa', 'pay without a browser'],
  [
    'payment-sessions create --customer cus_… --amount 1250 --currency eur --return-url https://example.com --wait',
    'create a payment and wait until it is paid',
  ],
  ['payment-sessions open py_sess_…', 'open its page in the browser'],
  ['listen --forward-to 3000/webhooks', 'print events and forward them to your handler'],
]

/** Prints the overview of all commands at the width of the terminal. */
export function printOverview(root: string): void {
  const columns = isTerminal() ? terminalWidth() : DEFAULT_WIDTH
  const style = createStyle(isColorEnabled(undefined, process.env, isTerminal()))
  printData(renderOverview(readOverview(root), Math.max(MIN_WIDTH, Math.min(columns, MAX_WIDTH)), style))
}

function readOverview(root: string): Overview {
  const { readFileSync } = process.getBuiltinModule('node:fs')
  const read = (name: string) => JSON.parse(readFileSync(`${root}/${name}`, 'utf8'))
  const { description, version, oclif } = read('package.json')
  const { commands } = read('oclif.manifest.json')
  return { description, version, topics: oclif.topics, commands: Object.values(commands) }
}

/** Renders the overview for a terminal of this width. */
export function renderOverview(
  { description, version, topics, commands }: Overview,
  columns: number,
  style: Style,
): string {
  const topLevel = commands.filter(({ id, hidden }) => hidden !== true && !id.includes(':'))
  const listed = topLevel.map(({ id, summary = '' }): [string, string] => [id, summary])
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
  return `${[`${wrapWords(description.split(' '), ' ', columns).join('\n')}\n`, ...texts].join('\n')}\n`
}

function table(rows: readonly (readonly [name: string, what: string])[], columns: number): string {
  const sorted = rows.toSorted(([a], [b]) => (a < b ? -1 : 1))
  const nameWidth = Math.max(...sorted.map(([name]) => name.length))
  const margin = ' '.repeat(INDENT + nameWidth + GAP)
  return sorted
    .map(([name, what]) => {
      const lines = wrapWords(what.split(' '), ' ', columns - margin.length)
      return `${' '.repeat(INDENT)}${name.padEnd(nameWidth + GAP)}${lines.join(`\n${margin}`)}`
    })
    .join('\n')
}
