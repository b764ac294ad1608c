import type { Command } from '@oclif/core'
import { wrapWords } from '../../domain/text/wrap-words.ts'
import { COMMAND_GROUPS } from '../output/command-groups.ts'
import { readManifest } from '../output/manifest.ts'
import { getStdoutWidth, isStdoutTerminal, writeToStdout } from '../output/output.ts'
import { replaceProgramName } from '../output/program-name.ts'
import { createStyle, isColorEnabled, type Style } from '../output/style.ts'
import { wrapNote } from '../output/text-layout.ts'

/** The fields of package.json and of oclif's manifest that the overview shows. */
export interface CommandOverview {
  readonly description: string
  readonly version: string
  readonly topics: Readonly<Record<string, { readonly description: string }>>
  readonly commands: readonly OverviewCommand[]
}

type OverviewCommand = Pick<Command.Cached, 'id'> &
  Partial<Pick<Command.Cached, 'aliases' | 'summary' | 'hidden'>>

type Row = readonly [name: string, what: string]

const MIN_WIDTH = 40
const MAX_WIDTH = 100
const DEFAULT_WIDTH = 80
const INDENT = 2
const GAP = 2
/** Indentation of the commands in the first steps, in columns. */
const STEP_INDENT = 4

/** The steps from an empty database to a payment with a delivered webhook. */
const FIRST_STEPS: readonly Row[] = [
  ['serve', 'start the server; run the other commands in another terminal'],
  ['listen --forward-to 3000/webhooks', 'print events and forward them to your handler'],
  ['customers create --email ada@example.com', 'create a customer'],
  [
    "checkout create --customer cus_… --currency eur --item 'Rent:100000' --interval month",
    'create a subscription checkout',
  ],
  ['checkout complete cks_… --card visa', 'pay without a browser'],
  ['payment-sessions create --customer cus_… --amount 1250 --currency eur', 'create a page for one payment'],
  ['open py_sess_…', 'open the page in the browser'],
]

/** Other sources of help. */
const MORE_HELP: readonly Row[] = [
  ['paycli COMMAND --help', 'flags and examples of a command'],
  ['paycli help --json', 'all commands with flags, examples and exit codes, for programs'],
  ['paycli help COMMAND --json', 'the same for one command or topic'],
  ['paycli open docs', 'API reference of the running server'],
]

/** The flags of all commands that call the server. */
const GLOBAL_FLAGS: readonly Row[] = [
  ['--json', 'Print JSON, even on a terminal. JSON is the default in pipes.'],
  ['--field <path>', 'Print only this field, such as id or data[].id. Repeat for more fields.'],
  ['--wide', 'Print all columns and fields, complete ids and absolute times on a terminal.'],
  ['--api-base <url>', 'Base URL of the API (default: PAYCLI_API_BASE, else the local server).'],
  ['--api-key <key>', 'API key (default: PAYCLI_API_KEY, else the key of the local server).'],
  ['--profile <name>', 'Profile with address and key (default: PAYCLI_PROFILE, else the profile in use).'],
  ['--sandbox <id|name>', 'Sandbox (default: PAYCLI_SANDBOX, else the default sandbox).'],
  ['--[no-]color', 'Force colors on or off. NO_COLOR and FORCE_COLOR also apply.'],
]

/** Prints the overview of all commands at the width of the terminal. */
export function printOverview(overview: CommandOverview): void {
  const columns = isStdoutTerminal() ? getStdoutWidth() : DEFAULT_WIDTH
  const style = createStyle(isColorEnabled(undefined, process.env, isStdoutTerminal()))
  const width = Math.max(MIN_WIDTH, Math.min(columns, MAX_WIDTH))
  writeToStdout(replaceProgramName(renderOverview(overview, width, style)))
}

/** Reads the overview of the commands of paycli. */
export function readOverview(root: string): CommandOverview {
  const { readFileSync } = process.getBuiltinModule('node:fs')
  const { description, version, oclif } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'))
  const commands = Object.values(readManifest(root).commands)
  return { description, version, topics: oclif.topics, commands }
}

/** Renders the overview for a terminal of the given width in columns. */
export function renderOverview(overview: CommandOverview, columns: number, style: Style): string {
  const { description, version } = overview
  const steps = FIRST_STEPS.map(([words, what]) => {
    const command = wrapNote(replaceProgramName(`paycli ${words}`), columns - STEP_INDENT)
    return `  ${style.dim(`# ${what}`)}\n  $ ${command.replaceAll('\n', `\n${' '.repeat(STEP_INDENT)}`)}`
  })
  const groups = groupCommands(overview)
  const nameWidth = widthOf(groups.flatMap(([, rows]) => rows))
  const moreHelp = MORE_HELP.map(([name, what]): Row => [replaceProgramName(name), what])
  const sections = [
    ['VERSION', `  paycli/${version} ${process.platform}-${process.arch} node-${process.version}`],
    ['USAGE', '  $ paycli COMMAND [flags]'],
    ['FIRST STEPS', steps.join('\n')],
    ...groups.map(([task, rows]) => [task, table(rows, nameWidth, columns)]),
    ['GLOBAL FLAGS', table(GLOBAL_FLAGS, widthOf(GLOBAL_FLAGS), columns)],
    ['MORE HELP', table(moreHelp, widthOf(moreHelp), columns)],
  ]
  const texts = sections.map(([title = '', body = '']) => `${style.bold(title)}\n${body}\n`)
  return `${[`${wrapWords(description.split(' '), ' ', columns).join('\n')}\n`, ...texts].join('\n')}\n`
}

/** Returns the topics and top-level commands by task. A command without a task is in the last group. */
function groupCommands({ topics, commands }: CommandOverview): [task: string, rows: Row[]][] {
  const visible = commands.filter(({ hidden }) => hidden !== true)
  const texts = new Map<string, string>()
  const isGrouped = new Set(COMMAND_GROUPS.flatMap(([, names]) => names))
  for (const { id, aliases = [], summary = '' } of visible) {
    // Aliases are omitted unless a group names them, such as `listen`.
    for (const name of [id, ...aliases.filter((alias) => isGrouped.has(alias))])
      if (!aliases.includes(id) || isGrouped.has(name)) texts.set(name, summary)
  }
  for (const [name, { description }] of Object.entries(topics)) texts.set(name, description)
  const others = [...texts.keys()].filter((name) => !name.includes(':') && !isGrouped.has(name)).sort()
  return [...COMMAND_GROUPS, ['MORE', others] as const]
    .map(([task, names]): [string, Row[]] => [
      task,
      names.flatMap((name) => (texts.has(name) ? [[name, texts.get(name) ?? ''] as const] : [])),
    ])
    .filter(([, rows]) => rows.length > 0)
}

function widthOf(rows: readonly Row[]): number {
  return Math.max(...rows.map(([name]) => name.length))
}

function table(rows: readonly Row[], nameWidth: number, columns: number): string {
  const margin = ' '.repeat(INDENT + nameWidth + GAP)
  return rows
    .map(([name, what]) => {
      const lines = wrapWords(what.split(' '), ' ', columns - margin.length)
      return `${' '.repeat(INDENT)}${name.padEnd(nameWidth + GAP)}${lines.join(`\n${margin}`)}`
    })
    .join('\n')
}
