import { rm } from 'node:fs/promises'
import { BaseCommand } from '../src/cli/command/base-command.ts'
import { UsageError } from '../src/cli/errors/usage-error.ts'
import { holdSignals, runCommand } from '../src/cli/fixtures/child-command.ts'
import { startChildDaemon } from '../src/cli/serve/child-daemon.ts'
import { variablesOf } from '../src/cli/serve/env-file.ts'
import { shellCode } from '../src/cli/service/processes.ts'
import { guardHome, makeTemporaryHome } from '../src/cli/service/temporary-home.ts'

export default class Exec extends BaseCommand {
  static override summary = 'Runs a command with a fresh service of its own, and ends with its exit code.'
  static override description =
    'The service is on free ports and, unless --db is given, in memory, so that any number can run at once; it is gone afterwards. The command finds it by PAYCLI_API_BASE, PAYCLI_API_KEY, PAYCLI_CHECKOUT_URL and PAYCLI_WEBHOOK_SECRET, and so does paycli within it. What stands before -- are flags of paycli serve. With --deterministic give --port or --checkout-url too: the address of the pages is in every url.'
  static override strict = false
  static override baseFlags = {}
  static override usage = 'exec [flags of serve] -- COMMAND…'
  static override examples = [
    '<%= config.bin %> <%= command.id %> -- npm test',
    '<%= config.bin %> <%= command.id %> --forward-to 3000/webhooks --no-retry -- npm test',
    "<%= config.bin %> <%= command.id %> -- sh -c 'paycli customers create --email ada@example.com && node job.js'",
  ]

  override async run(): Promise<void> {
    const { serveFlags, words } = splitAtDashes(this.argv)
    refuseUseless(serveFlags)
    const signals = holdSignals()
    const home = await makeTemporaryHome()
    const guard = guardHome(home)
    const env = { ...process.env, PAYCLI_HOME: home, PAYCLI_PROFILE: '' }
    try {
      // A key of the machine's own service is none of this one.
      const ownEnv = { ...env, PAYCLI_API_KEY: '', PAYCLI_API_BASE: '' }
      const daemon = await startChildDaemon(withDefaults(serveFlags), ownEnv)
      try {
        // Whoever wanted to stop it while the service was starting wants no command any more.
        const signal = signals.first()
        const found = { ...env, ...variablesOf(daemon.location) }
        process.exitCode =
          signal === null ? await runCommand(words, found, guard.watch) : shellCode(null, signal)
      } finally {
        // The command has its answer; another ^C only means that stopping takes too long.
        signals.onNext(daemon.kill)
        await daemon.stop()
      }
    } finally {
      await rm(home, { recursive: true, force: true })
      guard.release()
    }
  }
}

function splitAtDashes(argv: readonly string[]): {
  readonly serveFlags: readonly string[]
  readonly words: readonly string[]
} {
  const at = argv.indexOf('--')
  const words = at === -1 ? [] : argv.slice(at + 1)
  if (words.length > 0) return { serveFlags: argv.slice(0, at), words }
  throw new UsageError('argument_missing', 'Give the command to run after --.', {
    hint: 'For instance: paycli exec -- npm test',
  })
}

// The service ends with the command, and nobody sees what it says.
const USELESS = ['--detach', '--open', '--json', '--log-format', '--until-stdin-ends']

function refuseUseless(flags: readonly string[]): void {
  const given = flags.map((flag) => (/^-d/.test(flag) ? '--detach' : flag.replace(/=.*$/s, '')))
  const at = given.findIndex((flag) => USELESS.includes(flag))
  const useless = given[at]
  if (useless === undefined) return
  const message = `${useless} would do nothing here: the service lasts as long as the command, and only that one is heard.`
  throw new UsageError('flag_invalid', message, {
    param: useless.slice(2),
    hint: `Leave it out, or start a service that lasts: paycli serve ${withValue(useless, flags.slice(at))}`,
  })
}

function withValue(useless: string, [flag = '', value = 'pretty']: readonly string[]): string {
  if (useless !== '--log-format') return useless
  return flag === useless ? `${flag} ${value}` : flag
}

function withDefaults(flags: readonly string[]): string[] {
  const isSaid = (name: string) => flags.some((flag) => flag === name || flag.startsWith(`${name}=`))
  const store = isSaid('--db') || isSaid('--memory') ? [] : ['--memory']
  return [...(isSaid('--port') ? [] : ['--port', '0']), ...store, ...flags]
}
