import type { Program } from '../command/base-command.ts'
import { type CommandDefinition, readCommandLine } from '../parse/command-line.ts'
import type { FlaggedOperation } from '../request/call.ts'
import { runManifestCall } from './manifest-runner.ts'

interface ManifestCommand extends CommandDefinition {
  readonly id: string
  readonly aliases: readonly string[]
  readonly relativePath: readonly string[]
  readonly call?: FlaggedOperation
}

interface Manifest {
  readonly commands: Readonly<Record<string, ManifestCommand>>
}

type CommandLookup = (id: string) => ManifestCommand | null

interface CommandModule {
  readonly default: { id: string; run(argv: readonly string[], config: Program): Promise<void> }
}

/** The root of the package, and the function that imports its commands. */
interface Installation {
  readonly root: URL
  readonly load: (file: URL) => Promise<CommandModule>
}

const PROGRAM: Program = { bin: 'paycli' }
const MAX_NAME_WORDS = 3
/** The help flags of oclif; package.json lists them too. */
const HELP_FLAGS = ['--help', '-h']

/** Returns whether the command line requests the overview of all commands. */
export function isOverviewRequest(argv: readonly string[]): boolean {
  const [word, ...more] = argv
  return more.length === 0 && (word === undefined || ['--help', '-h', 'help'].includes(word))
}

/** Returns the command that the first words name, and the remaining words. Null when oclif must resolve the command. */
export function findCommand(
  lookUp: CommandLookup,
  argv: readonly string[],
): { readonly command: ManifestCommand; readonly rest: readonly string[] } | null {
  const firstOther = argv.findIndex((text) => !/^[a-z][a-z-]*$/.test(text))
  const nameLength = Math.min(MAX_NAME_WORDS, firstOther === -1 ? argv.length : firstOther)
  for (let length = nameLength; length > 0; length -= 1) {
    const command = lookUp(argv.slice(0, length).join(':'))
    if (command !== null) return { command, rest: argv.slice(length) }
  }
  return null
}

/**
 * Returns a lookup of commands in the text of oclif's manifest, which is indented by two spaces. It parses a single
 * command, because parsing all takes several milliseconds. Only an alias makes it parse all.
 */
export function createManifestLookup(manifest: Buffer): CommandLookup {
  return (id) => {
    const start = manifest.indexOf(`\n    "${id}": {\n`)
    if (start === -1) return findByAlias(JSON.parse(manifest.toString('utf8')) as Manifest, id)
    const end = manifest.indexOf('\n    }', start)
    const text = manifest.toString('utf8', manifest.indexOf('{', start), end)
    return JSON.parse(`${text}}`) as ManifestCommand
  }
}

function findByAlias({ commands }: Manifest, id: string): ManifestCommand | null {
  return Object.values(commands).find((command) => command.aliases.includes(id)) ?? null
}

/**
 * Runs a command, or prints the overview, without oclif, which takes longer to load than most commands run. Returns false
 * and does nothing for other help and for invalid or unusual command lines: oclif must handle them.
 */
export async function launch({ root, load }: Installation, argv: readonly string[]): Promise<boolean> {
  if (isOverviewRequest(argv)) {
    const { printOverview } = await import('./root-help.ts')
    printOverview(root)
    return true
  }
  const end = argv.indexOf('--')
  if ((end === -1 ? argv : argv.slice(0, end)).some((text) => HELP_FLAGS.includes(text))) return false
  // Importing node:fs would load its streams too.
  const { readFileSync } = process.getBuiltinModule('node:fs')
  const found = findCommand(createManifestLookup(readFileSync(new URL('oclif.manifest.json', root))), argv)
  if (found === null) return false
  const { command, rest } = found
  const { id, call, flags, relativePath } = command
  // A command that is not strict parses its own arguments.
  if (command.strict !== false) {
    const line = await readCommandLine(command, rest, process.env)
    if (line === null) return false
    if (call !== undefined) {
      await runManifestCall(call, line, { id, argv: rest, flagNames: Object.keys(flags), flags: line.flags })
      return true
    }
  }
  const { default: commandClass } = await load(new URL(relativePath.join('/'), root))
  commandClass.id = id
  await commandClass.run(rest, PROGRAM)
  return true
}
