import { getDataFolder } from '../../domain/text/data-folder.ts'
import { readManifest } from '../output/manifest.ts'

type CommandLookup<C> = (id: string) => C | null

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
 * Returns the module of the command that the first words name by id or alias, the name as typed, and the remaining
 * words; null if oclif must resolve the command.
 */
export function findCommandModule(root: string, argv: readonly string[]) {
  const { existsSync } = process.getBuiltinModule('node:fs')
  const toFile = (id: string) => `${root}/dist/bundle/commands/${id.replaceAll(':', '/')}.js`
  const found = findCommand((id) => (existsSync(toFile(id)) ? toFile(id) : null), argv)
  if (found !== null) return found
  // Only an alias needs the manifest, which takes several milliseconds to parse.
  const commands = Object.values(readManifest(root).commands)
  return findCommand((alias) => {
    const command = commands.find(({ aliases }) => aliases.includes(alias))
    return command === undefined ? null : toFile(command.id)
  }, argv)
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
  const home = getDataFolder(process.env, process.getBuiltinModule('node:os').homedir())
  // If the data folder has a package.json, the user has plugins, so oclif must load them.
  if (process.getBuiltinModule('node:fs').existsSync(`${home}/package.json`)) return false
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
  const found = findCommandModule(root, argv)
  if (found === null) return false
  const { command: file, name, rest } = found
  const { default: commandClass } = await load(file)
  commandClass.id = name
  await commandClass.run(rest, { root })
  return true
}
