import { rm } from 'node:fs/promises'
import { BaseCommand } from '../src/cli/command/base-command.ts'
import { UsageError } from '../src/cli/errors/usage-error.ts'
import { holdSignals, runCommand, splitAtDashes } from '../src/cli/fixtures/child-command.ts'
import { startChildDaemon } from '../src/cli/serve/child-daemon.ts'
import { toEnvironmentVariables } from '../src/cli/serve/env-file.ts'
import { toShellExitCode } from '../src/cli/service/processes.ts'
import { createTemporaryHome, startHomeGuard } from '../src/cli/service/temporary-home.ts'

export default class Exec extends BaseCommand {
  static override summary = 'Run a command with a temporary server'
  static override description =
    'Starts a server on free ports, in memory unless --db is given, and stops it when the command exits. Several runs can overlap. The command, and any paycli call in it, connects through PAYCLI_API_BASE, PAYCLI_API_KEY, PAYCLI_CHECKOUT_URL and PAYCLI_WEBHOOK_SECRET. Flags before -- are passed to paycli serve. For reproducible URLs, combine --deterministic with --port or --checkout-url. Exits with the exit code of the command.'
  static override strict = false
  static override baseFlags = {}
  static override usage = 'exec [flags of serve] -- COMMAND…'
  static override examples = [
    '<%= config.bin %> <%= command.id %> -- npm test',
    '<%= config.bin %> <%= command.id %> --forward-to 3000/webhooks --no-retry -- npm test',
    "<%= config.bin %> <%= command.id %> -- sh -c 'paycli customers create --email ada@example.com && node job.js'",
  ]

  override async run(): Promise<void> {
    const { own: serveFlags, command } = splitAtDashes(this.argv)
    if (command.length === 0) {
      const hint = 'For instance: paycli exec -- npm test'
      throw new UsageError('argument_missing', 'The command after -- is missing.', { hint })
    }
    rejectUselessFlags(serveFlags)
    const signals = holdSignals()
    const home = await createTemporaryHome()
    const guard = startHomeGuard(home)
    const env = { ...process.env, PAYCLI_HOME: home, PAYCLI_PROFILE: '' }
    try {
      // The key of another server must not apply to this one.
      const serviceEnv = { ...env, PAYCLI_API_KEY: '', PAYCLI_API_BASE: '' }
      const daemon = await startChildDaemon(withDefaults(serveFlags), serviceEnv)
      try {
        // After a signal during the start, the command must not run.
        const signal = signals.first()
        const commandEnv = { ...env, ...toEnvironmentVariables(daemon.location) }
        process.exitCode =
          signal === null ? await runCommand(command, commandEnv, guard.watch) : toShellExitCode(null, signal)
      } finally {
        // The command has ended, so another ^C means that the stop takes too long.
        signals.onNext(daemon.kill)
        await daemon.stop()
      }
    } finally {
      await rm(home, { recursive: true, force: true })
      guard.release()
    }
  }
}

// The server stops when the command exits, and its output is hidden.
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
  const isGiven = (name: string) => flags.some((flag) => flag === name || flag.startsWith(`${name}=`))
  const store = isGiven('--db') || isGiven('--memory') ? [] : ['--memory']
  return [...(isGiven('--port') ? [] : ['--port', '0']), ...store, ...flags]
}
