import { BaseCommand } from '../../src/cli/command/base-command.ts'
import { refuseIdleFlags } from '../../src/cli/listen/conflicting-flags.ts'
import { createDeliveryProcess } from '../../src/cli/listen/delivery-process-client.ts'
import {
  listenFlags,
  readGoal,
  readListening,
  readOutput,
  streamFlags,
} from '../../src/cli/listen/listen-flags.ts'
import { createListenPrinter } from '../../src/cli/listen/listen-output.ts'
import { type ListenRun, runListener } from '../../src/cli/listen/listen-runner.ts'
import { readSince } from '../../src/cli/listen/listen-since.ts'
import { readWebhookSecret } from '../../src/cli/listen/listener.ts'
import { EXIT_CODES } from '../../src/cli/output/exit-codes.ts'
import { isTerminal, printData } from '../../src/cli/output/output.ts'
import { formOf, renderAnswer } from '../../src/cli/output/render-response.ts'
import { EXIT_AFTER_INTERRUPT, onInterrupt } from '../../src/cli/serve/interrupts.ts'
import { systemClock } from '../../src/daemon/clock.ts'

export default class WebhooksListen extends BaseCommand {
  static override aliases = ['listen']
  static override summary = 'Shows events as they happen and forwards them, signed, to your handlers.'
  static override description =
    'Each target is a webhook endpoint while this runs: its attempts are listed by webhooks deliveries list, retried, and sent again by events resend. What happens while the connection is lost comes when it is back. Stops on ^C.'
  static override flags = { ...listenFlags, ...streamFlags }
  static override examples = [
    '<%= config.bin %> <%= command.id %> --forward-to 3000/webhooks',
    "<%= config.bin %> <%= command.id %> -f 3000 -e 'invoice.*' --route 'customer.*=3001/customers' -H 'X-Tenant: 7'",
    '<%= config.bin %> <%= command.id %> -f 3000 --since last --show-body',
    '<%= config.bin %> <%= command.id %> -f 3000 --until invoice.paid --max-wait 60s --fail-on-error --output json',
    '<%= config.bin %> <%= command.id %> --print-secret',
  ]

  override async run(): Promise<void> {
    const { flags } = await this.given()
    const listening = readListening(flags)
    const hasTargets = listening.forwarding.length > 0
    refuseIdleFlags(flags, hasTargets)
    const goal = readGoal(flags)
    // A screen needs its keys too.
    const output = readOutput(flags, process.env, isTerminal() && process.stdin.isTTY === true)
    const client = this.client()
    const connection = this.connection()
    if (flags['print-secret'] === true) {
      const secret = await readWebhookSecret(connection)
      // A script takes it as it is; --output json and --field are no less explicit than --json.
      printData(
        output === 'json' ? renderAnswer({ secret }, { ...formOf(flags), format: 'json' }) : `${secret}\n`,
      )
      return
    }
    const { since } = flags
    const begin = since === undefined ? null : await readSince(client, String(since), hasTargets)
    const { nowMs } = systemClock
    const carrier = createDeliveryProcess({
      ...connection,
      isAnyCertificateTaken: flags['skip-verify'] === true,
    })
    const isFailureFatal = flags['fail-on-error'] === true
    const run = { ...connection, client, listening, carrier, goal, isFailureFatal, since: begin }
    try {
      if (output === 'tui') process.exitCode = await this.onScreen(run)
      else {
        const isBodyShown = flags['show-body'] === true
        const onRecord = createListenPrinter({ output, form: formOf(flags), isBodyShown, nowMs })
        const running = runListener({ ...run, onRecord })
        onInterrupt(running.stop, running.whenTerminated)
        process.exitCode = await running.ended
      }
    } finally {
      carrier.close()
    }
  }

  // Nothing of the screen is loaded by who does not see it.
  private async onScreen(run: Omit<ListenRun, 'onRecord'>): Promise<number> {
    // React's other build checks itself all the time and keeps what it measures.
    process.env['NODE_ENV'] ??= 'production'
    const { openScreen } = await import('../../src/tui/screen.ts')
    const { screenPorts } = await import('../../src/cli/listen/screen-ports.ts')
    let stop = (_code: number): void => {}
    let isQuitting = false
    const screen = openScreen({
      ...screenPorts(run.client),
      apiBase: run.apiBase,
      nowMs: systemClock.nowMs,
      quit(isInterrupt) {
        if (isQuitting) {
          screen.close()
          process.exit(EXIT_AFTER_INTERRUPT)
        }
        isQuitting = true
        stop(isInterrupt ? EXIT_AFTER_INTERRUPT : EXIT_CODES.ok)
      },
    })
    const running = runListener({
      ...run,
      onRecord: screen.record,
      onReady: ({ webhook_secret }) => screen.tellSecret(webhook_secret),
    })
    stop = onInterrupt(running.stop, running.whenTerminated)
    // A screen that is gone before anybody ended it is no success.
    const isDead = screen.ended.then(() => stop(EXIT_CODES.unexpected))
    try {
      return await Promise.race([running.ended, isDead.then(() => running.ended)])
    } finally {
      screen.close()
    }
  }
}
