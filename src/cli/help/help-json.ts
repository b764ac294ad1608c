import type { Command } from '@oclif/core'
import { EXIT_CODES } from '../output/exit-codes.ts'
import { type CommandManifest, readManifest } from '../output/manifest.ts'
import { renderJson, writeToStdout } from '../output/output.ts'
import { getProgramInvocation } from '../output/program-name.ts'

/** The meaning of each exit code. */
const MEANINGS: Readonly<Record<keyof typeof EXIT_CODES, string>> = {
  ok: 'success',
  unexpected: 'unexpected error, such as a full disk or a bug',
  usage: 'invalid command line, file or field',
  unreachable: 'the server does not respond',
  auth: 'the API key is missing, invalid or lacks a scope',
  api: 'the server rejected the request',
  rejected: 'the payment was declined, or the object is in another state',
  timeout: 'not finished in time',
  assertion: 'an expectation, a delivery or a check failed',
}
const INTERRUPTED = { code: 130, name: 'interrupted', meaning: 'stopped with ^C' }

/** Prints all commands as JSON, or only the command or topic `names`. Returns false if no command matches. */
export function printHelpJson(root: string, names: readonly string[]): boolean {
  const help = createHelpJson(readManifest(root), names)
  if (help.commands.length === 0) return false
  writeToStdout(renderJson({ program: getProgramInvocation(), ...help }))
  return true
}

/**
 * Returns the commands of oclif's manifest whose names begin with `names`, the global flags, and the exit codes of all
 * commands. A command that takes only some global flags names them in `global_flags`.
 */
export function createHelpJson({ version, commands }: CommandManifest, names: readonly string[]) {
  const all = Object.values(commands)
  const globalFlags = Object.assign({}, ...all.map(({ flags }) => selectFlags(flags, true)))
  const isNamed = (id: string) => `${id}:`.startsWith(names.map((name) => `${name}:`).join(''))
  return {
    version,
    exit_codes: [
      ...Object.entries(MEANINGS).map(([name, meaning]) => ({
        code: EXIT_CODES[name as keyof typeof EXIT_CODES],
        name,
        meaning,
      })),
      INTERRUPTED,
    ],
    global_flags: describeFlags(globalFlags),
    commands: all
      .filter(({ hidden, id, aliases }) => hidden !== true && [id, ...aliases].some(isNamed))
      .map((command) => describeCommand(command, Object.keys(globalFlags))),
  }
}

type ManifestFlags = Command.Cached['flags']

function selectFlags(flags: ManifestFlags, isGlobal: boolean): ManifestFlags {
  const visible = Object.entries(flags).filter(([, { hidden }]) => hidden !== true)
  return Object.fromEntries(visible.filter(([, { helpGroup }]) => (helpGroup === 'GLOBAL') === isGlobal))
}

function describeCommand(
  { id, aliases, summary, description, args, flags, examples = [] }: Command.Cached,
  globalFlags: readonly string[],
) {
  const command = nameOf(id)
  const ownGlobalFlags = Object.keys(selectFlags(flags, true))
  return {
    command,
    aliases: aliases.map(nameOf),
    summary,
    description,
    args: Object.entries(args)
      .filter(([, { hidden }]) => hidden !== true)
      .map(([name, arg]) => ({
        name,
        description: arg.description,
        required: arg.required === true,
      })),
    flags: describeFlags(selectFlags(flags, false)),
    global_flags:
      ownGlobalFlags.length < globalFlags.length ? ownGlobalFlags.map((name) => `--${name}`) : undefined,
    examples: examples.map((text) =>
      String(text).replaceAll('<%= config.bin %>', 'paycli').replaceAll('<%= command.id %>', command),
    ),
  }
}

function describeFlags(flags: ManifestFlags) {
  return Object.entries(flags).map(([name, flag]) => {
    const isOption = flag.type === 'option'
    return {
      flag: flag.type === 'boolean' && flag.allowNo ? `--[no-]${name}` : `--${name}`,
      short: flag.char && `-${flag.char}`,
      value: isOption ? (flag.options ?? flag.helpValue ?? '<value>') : undefined,
      repeatable: (isOption && flag.multiple) || undefined,
      default: flag.default,
      env: flag.env,
      description: flag.description,
    }
  })
}

function nameOf(id: string): string {
  return id.replaceAll(':', ' ')
}
