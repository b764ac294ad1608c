import type { FlagInput } from '@oclif/core/interfaces'
import { BaseCommand, connectionFlags, toExamples } from '../src/cli/command/base-command.ts'
import { UsageError } from '../src/cli/errors/usage-error.ts'
import { splitAtDoubleDash } from '../src/cli/fixtures/child-command.ts'
import { boolean, string } from '../src/cli/parse/flag-builders.ts'
import { isFlagGiven } from '../src/cli/parse/flag-names.ts'
import { runInTemporarySandbox } from '../src/cli/serve/exec-sandbox.ts'
import { getUnixSeconds, systemClock } from '../src/daemon/system/clock.ts'

const SANDBOX_FLAGS: FlagInput = {
  sandbox: boolean({
    description: 'Use a new sandbox of the running server instead of a temporary server.',
  }),
  from: string({
    description: 'With --sandbox: copy this sandbox or saved state (default: an empty sandbox).',
    helpValue: '<id|state>',
  }),
}

export default class Exec extends BaseCommand {
  static override summary = 'Run a command with a temporary server or sandbox'
  static override description =
    'Starts a server on free ports, in memory unless --db is given, and stops it when the command exits. Several runs can overlap. The command, and any paycli call in it, connects through PAYCLI_API_BASE, PAYCLI_API_KEY, PAYCLI_CHECKOUT_URL and PAYCLI_WEBHOOK_SECRET. Flags before -- are passed to paycli serve. For reproducible URLs, combine --deterministic with --port or --checkout-url. With --sandbox, the command uses a new sandbox of the running server, which starts sooner than a server and is deleted at the end; --api-base, --api-key and --profile select the server. Exits with the exit code of the command.'
  static override strict = false
  static override baseFlags = {}
  static override flags = SANDBOX_FLAGS
  static override usage = 'exec [flags of serve | --sandbox [--from <id|state>]] -- COMMAND…'
  static override examples = toExamples([
    '-- npm test',
    '--forward-to 3000/webhooks --no-retry -- npm test',
    '--sandbox --from seeded-shop -- npm test',
    "-- sh -c 'paycli customers create --email ada@example.com && node job.js'",
  ])

  override async run(): Promise<void> {
    const { own, command } = splitAtDoubleDash(this.argv)
    if (command.length === 0) throw new UsageError('argument_missing', 'The command after -- is missing.')
    const isSandbox = isFlagGiven(own, 'sandbox') || isFlagGiven(own, 'from')
    process.exitCode = isSandbox ? await this.runInSandbox(own, command) : await runWithServer(own, command)
  }

  private async runInSandbox(own: readonly string[], command: readonly string[]): Promise<number> {
    const { flags } = await this.parse({ flags: { ...SANDBOX_FLAGS, ...connectionFlags } }, own)
    if (flags['sandbox'] !== true)
      throw new UsageError('flag_missing', '--from requires --sandbox.', {
        param: 'from',
        hint: 'A temporary server starts empty, or with the database of --db.',
      })
    return runInTemporarySandbox({ command, flags, env: process.env, now: getUnixSeconds(systemClock) })
  }
}

async function runWithServer(serveFlags: readonly string[], command: readonly string[]): Promise<number> {
  rejectUselessFlags(serveFlags)
  // Import the module on demand, because `exec --sandbox` starts faster without this module.
  const { runWithTemporaryServer } = await import('../src/cli/serve/exec-server.ts')
  return runWithTemporaryServer(withDefaults(serveFlags), command)
}

// Flags without an effect, because the server stops with the command and its output is hidden.
const USELESS_FLAGS = ['--detach', '--open', '--json', '--log-format', '--until-stdin-ends']

function rejectUselessFlags(flags: readonly string[]): void {
  const given = flags.map((flag) => (/^-d/.test(flag) ? '--detach' : flag.replace(/=.*$/s, '')))
  const at = given.findIndex((flag) => USELESS_FLAGS.includes(flag))
  const useless = given[at]
  if (useless === undefined) return
  const message = `${useless} has no effect: the server stops when the command exits, and its output is hidden.`
  throw new UsageError('flag_invalid', message, {
    param: useless.slice(2),
    hint: `Omit it, or start a long-running server: paycli serve ${withValue(useless, flags.slice(at))}`,
  })
}

function withValue(useless: string, [flag = '', value = 'pretty']: readonly string[]): string {
  if (useless !== '--log-format') return useless
  return flag === useless ? `${flag} ${value}` : flag
}

function withDefaults(flags: readonly string[]): string[] {
  const store = isFlagGiven(flags, 'db') || isFlagGiven(flags, 'memory') ? [] : ['--memory']
  return [...(isFlagGiven(flags, 'port') ? [] : ['--port', '0']), ...store, ...flags]
}
