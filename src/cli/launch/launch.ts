import { type CommandLine, type CommandShape, readCommandLine } from '../parse/command-line.ts'
import type { FlaggedOperation } from '../request/call.ts'
import { runLoneCall } from './manifest-runner.ts'

interface ManifestCommand extends CommandShape {
  readonly id: string
  readonly aliases: readonly string[]
  readonly relativePath: readonly string[]
  readonly call?: FlaggedOperation
}

interface LoneCommand extends ManifestCommand {
  readonly call: FlaggedOperation
}

interface Manifest {
  readonly commands: Readonly<Record<string, ManifestCommand>>
}

type LookUp = (id: string) => ManifestCommand | null

interface Program {
  readonly bin: string
}

interface RunnableModule {
  readonly default: { id: string; run(argv: readonly string[], config: Program): Promise<void> }
}

/** Where the package is, and how to load a command of it. */
interface Installed {
  readonly root: URL
  readonly load: (file: URL) => Promise<RunnableModule>
}

const PROGRAM: Program = { bin: 'paycli' }
const MOST_WORDS = 3
/** Words at which oclif steps in front of every command; package.json names them too. */
const HELP = ['--help', '-h']

/** Words that ask for the overview of all commands. */
export function isOverviewAsked(argv: readonly string[]): boolean {
  const [word, ...more] = argv
  return more.length === 0 && (word === undefined || ['--help', '-h', 'help'].includes(word))
}

/** Which command the first words name, and what remains; null when that is for oclif to tell. */
export function findCommand(
  lookUp: LookUp,
  argv: readonly string[],
): { readonly command: ManifestCommand; readonly rest: readonly string[] } | null {
  const first = argv.findIndex((text) => !/^[a-z][a-z-]*$/.test(text))
  const most = Math.min(MOST_WORDS, first === -1 ? argv.length : first)
  for (let length = most; length > 0; length -= 1) {
    const command = lookUp(argv.slice(0, length).join(':'))
    if (command !== null) return { command, rest: argv.slice(length) }
  }
  return null
}

/**
 * Looks commands up in the text of oclif's manifest, which indents by two spaces: reading one of them takes no time,
 * and all of them several milliseconds. What is not found may be an alias, so then all are read.
 */
export function manifestLookUp(manifest: Buffer): LookUp {
  return (id) => {
    const start = manifest.indexOf(`\n    "${id}": {\n`)
    if (start === -1) return byAlias(JSON.parse(manifest.toString('utf8')) as Manifest, id)
    const end = manifest.indexOf('\n    }', start)
    const text = manifest.toString('utf8', manifest.indexOf('{', start), end)
    return JSON.parse(`${text}}`) as ManifestCommand
  }
}

function byAlias({ commands }: Manifest, id: string): ManifestCommand | null {
  return Object.values(commands).find((command) => command.aliases.includes(id)) ?? null
}

/**
 * Runs a command, or shows the overview of all, without oclif, which takes longer to load than most commands run;
 * resolves with false, and has done nothing, for other help and for whatever of a command line is wrong or unusual.
 */
export async function launch({ root, load }: Installed, argv: readonly string[]): Promise<boolean> {
  if (isOverviewAsked(argv)) {
    const { printOverview } = await import('./root-help.ts')
    printOverview(root)
    return true
  }
  const end = argv.indexOf('--')
  if ((end === -1 ? argv : argv.slice(0, end)).some((text) => HELP.includes(text))) return false
  // Importing node:fs would load its streams too.
  const { readFileSync } = process.getBuiltinModule('node:fs')
  const found = findCommand(manifestLookUp(readFileSync(new URL('oclif.manifest.json', root))), argv)
  if (found === null) return false
  const { command, rest } = found
  if (command.strict === false) {
    // Its words are none of paycli's own, and it reads them itself.
    await runModule(await load(new URL(command.relativePath.join('/'), root)), command.id, rest)
    return true
  }
  // A word too many is a command that is not there.
  const line = await readCommandLine(command, rest, process.env)
  if (line === null) return false
  if (isLone(command)) await callAlone(command, line, rest)
  else await runModule(await load(new URL(command.relativePath.join('/'), root)), command.id, rest)
  return true
}

function isLone(command: ManifestCommand): command is LoneCommand {
  return command.call !== undefined
}

async function runModule(module: RunnableModule, id: string, argv: readonly string[]): Promise<void> {
  module.default.id = id
  await module.default.run(argv, PROGRAM)
}

// What BaseCommand does for such a command, without loading the API that it names.
async function callAlone(command: LoneCommand, line: CommandLine, argv: readonly string[]): Promise<void> {
  await runLoneCall(command.call, {
    line,
    argv,
    id: command.id,
    command: `${PROGRAM.bin} ${command.id.replaceAll(':', ' ')}`,
    known: Object.keys(command.flags),
  })
}
