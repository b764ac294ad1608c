import type { Command } from '@oclif/core'
import { getDataFolder } from '../../domain/text/data-folder.ts'

type ManifestCommand = Command.Cached & { readonly relativePath: readonly string[] }

type CommandLookup<C = ManifestCommand> = (id: string) => C | null

interface CommandModule {
  readonly default: {
    id: string
    run(argv: readonly string[], config: { readonly root: string }): Promise<void>
  }
}

const MAX_NAME_WORDS = 3
/** The help flags of oclif; package.json lists them too. */
const HELP_FLAGS = ['--help', '-h']

/** Returns whether the command line requests the overview of all commands. */
export function isOverviewRequest(argv: readonly string[]): boolean {
  const [word, ...more] = argv
  return more.length === 0 && (word === undefined || word === 'help' || HELP_FLAGS.includes(word))
}

/** Returns the names before `--help --json`, which requests the help of a command or of all commands as JSON, or null. */
export function findHelpJsonRequest(argv: readonly string[]): readonly string[] | null {
  const flags = argv.filter((text) => text.startsWith('-'))
  const isRequest =
    flags.length === 2 && flags.includes('--json') && HELP_FLAGS.some((flag) => flags.includes(flag))
  return isRequest ? argv.filter((text) => !flags.includes(text)) : null
}

/**
 * Returns the command that the first words name, its id or alias as typed, such as `checkout:open`, and the remaining
 * words. Returns null if oclif must resolve the command.
 */
export function findCommand<C>(lookUp: CommandLookup<C>, argv: readonly string[]) {
  const firstOther = argv.findIndex((text) => !/^[a-z][a-z-]*$/.test(text))
  const nameLength = Math.min(MAX_NAME_WORDS, firstOther === -1 ? argv.length : firstOther)
  for (let length = nameLength; length > 0; length -= 1) {
    const name = argv.slice(0, length).join(':')
    const command = lookUp(name)
    if (command !== null) return { command, name, rest: argv.slice(length) }
  }
  return null
}

/**
 * Returns a lookup of commands by id or alias in the text of oclif's manifest, which is indented by two spaces. The
 * lookup parses a single command, because parsing all commands takes several milliseconds.
 */
export function createManifestLookup(manifest: Buffer): CommandLookup {
  return (name) => {
    const start = manifest.indexOf(`\n    "${name}": {\n`)
    return start === -1 ? findByAlias(manifest, name) : parseCommandAt(manifest, start)
  }
}

/** Parses the command whose text begins at `start`. */
function parseCommandAt(manifest: Buffer, start: number): ManifestCommand {
  const end = manifest.indexOf('\n    }', start)
  return JSON.parse(`${manifest.toString('utf8', manifest.indexOf('{', start), end)}}`)
}

function findByAlias(manifest: Buffer, alias: string): ManifestCommand | null {
  const item = `\n        "${alias}"`
  // The searched text may also occur in an example or a file name.
  for (let at = manifest.indexOf(item); at !== -1; at = manifest.indexOf(item, at + 1)) {
    const command = parseCommandAt(manifest, manifest.lastIndexOf('\n    "', at))
    if (command.aliases.includes(alias)) return command
  }
  return null
}

/**
 * Loads a command of the package in `root` and runs it without oclif, which takes longer to load than most commands run.
 * Returns false for command lines that oclif must handle: help, versions, unknown commands, and all command lines once
 * the user has plugins.
 */
export async function runWithoutOclif(
  root: string,
  load: (file: string) => Promise<CommandModule>,
  argv: readonly string[],
): Promise<boolean> {
  // Importing node:fs would load its streams too.
  const { existsSync, readFileSync } = process.getBuiltinModule('node:fs')
  const home = getDataFolder(process.env, process.getBuiltinModule('node:os').homedir())
  // If the data folder has a package.json, the user has plugins, so oclif must load them.
  if (existsSync(`${home}/package.json`)) return false
  if (isOverviewRequest(argv)) {
    const { printOverview, readOverview } = await import('../help/root-help.ts')
    printOverview(readOverview(root))
    return true
  }
  const helpNames = findHelpJsonRequest(argv)
  if (helpNames !== null) {
    const { printHelpJson } = await import('../help/help-json.ts')
    return printHelpJson(root, helpNames)
  }
  const end = argv.indexOf('--')
  if ((end === -1 ? argv : argv.slice(0, end)).some((text) => HELP_FLAGS.includes(text))) return false
  const found = findCommand(createManifestLookup(readFileSync(`${root}/oclif.manifest.json`)), argv)
  if (found === null) return false
  const { command, name, rest } = found
  const { default: commandClass } = await load(`${root}/${command.relativePath.join('/')}`)
  commandClass.id = name
  await commandClass.run(rest, { root })
  return true
}
