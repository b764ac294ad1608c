import { BaseCommand, toExamples } from '../../src/cli/command/base-command.ts'
import { rejectConflictingFlags } from '../../src/cli/listen/conflicting-flags.ts'
import {
  getListenOutputFormat,
  listenFlags,
  readExitConditions,
  readListenSettings,
  streamFlags,
} from '../../src/cli/listen/listen-flags.ts'
import { createListenPrinter } from '../../src/cli/listen/listen-printer.ts'
import { type RunListenerOptions, runListener } from '../../src/cli/listen/listen-runner.ts'
import { readListenStart } from '../../src/cli/listen/listen-start.ts'
import { readWebhookSecret } from '../../src/cli/listen/listener.ts'
import { EXIT_CODES } from '../../src/cli/output/exit-codes.ts'
import { isStdoutTerminal, printNote, writeToStdout } from '../../src/cli/output/output.ts'
import { getOutputSettings, renderJsonOrFields } from '../../src/cli/output/render-response.ts'
import { INTERRUPT_EXIT_CODE, onInterrupt } from '../../src/cli/serve/interrupts.ts'
import { findSelectedSandbox } from '../../src/cli/service/selected-sandbox.ts'
import { systemClock } from '../../src/daemon/system/clock.ts'
import { createSender } from '../../src/webhooks/send.ts'
import { createTargetGuard } from '../../src/webhooks/ssrf-guard.ts'

const TLS_HINT = 'Use --skip-verify to accept any certificate.'

export default class WebhooksListen extends BaseCommand {
  static override aliases = ['listen']
  static override summary = 'Show events and forward them to your webhook handlers'
  static override description =
    'Forwarded events are signed. Each target is a webhook endpoint while the listener runs, so failed attempts are retried. Show all attempts with paycli webhooks deliveries list. Resend events with paycli events resend. Events during a lost connection arrive after the connection is restored. Stop with ^C.'
  static override flags = { ...listenFlags, ...streamFlags }
  static override examples = toExamples([
    '--forward-to 3000/webhooks',
    "-f 3000 -e 'invoice.*' --route 'customer.*=3001/customers' -H 'X-Tenant: 7'",
    '-f 3000 --since last --show-body',
    '-f 3000 --until invoice.paid --max-wait 60s --fail-on-error --output json',
    '--print-secret',
  ])

  override async run(): Promise<void> {
    const { flags } = await this.readInput()
    const settings = readListenSettings(flags)
    const hasTargets = settings.forwardRules.length > 0
    rejectConflictingFlags(flags, hasTargets)
    const goal = readExitConditions(flags)
    // The screen reads keys, so stdin must be a terminal too.
    const output = getListenOutputFormat(
      flags,
      process.env,
      isStdoutTerminal() && process.stdin.isTTY === true,
    )
    const client = this.client()
    const connection = this.connection()
    if (flags['print-secret'] === true) {
      const secret = await readWebhookSecret(connection)
      // Print the secret unformatted for scripts, unless --json, --output json or --field is given.
      writeToStdout(
        output === 'json' ? renderJsonOrFields({ secret }, getOutputSettings(flags).fields) : `${secret}\n`,
      )
      return
    }
    const { since } = flags
    const start = since === undefined ? null : await readListenStart(client, String(since), hasTargets)
    const { nowMs } = systemClock
    // The user chooses the targets, so private addresses are allowed.
    const guard = createTargetGuard({ isPublicOnly: false, allowed: [], ownPorts: [] })
    const isUntrustedCertificateAllowed = flags['skip-verify'] === true
    const sender = createSender({ nowMs, guard, isUntrustedCertificateAllowed, tlsHint: TLS_HINT })
    const isFailureFatal = flags['fail-on-error'] === true
    const run = { ...connection, client, settings, send: sender.send, goal, isFailureFatal, since: start }
    try {
      if (output === 'tui') process.exitCode = await this.runScreen(run)
      else {
        const isBodyShown = flags['show-body'] === true
        const onRecord = createListenPrinter(output, getOutputSettings(flags), nowMs, isBodyShown)
        const running = runListener({ ...run, onRecord })
        onInterrupt(running.stop, running.terminationCode)
        process.exitCode = await running.ended
      }
    } finally {
      await sender.close()
    }
  }

  // Import the screen on demand, because the screen is slow to load.
  private async runScreen(run: Omit<RunListenerOptions, 'onRecord'>): Promise<number> {
    // Report a missing server before the screen opens.
    await run.client.now()
    const { openScreen } = await import('../../src/tui/screen.ts')
    const { createScreenActions } = await import('../../src/cli/listen/screen-actions.ts')
    let stop = (_code: number): void => {}
    let isQuitting = false
    const { id, name } = findSelectedSandbox(this.connection(), process.env) ?? { id: null, name: null }
    const screen = openScreen({
      ...createScreenActions(run.client),
      apiBase: run.apiBase,
      sandbox: name ?? id,
      nowMs: systemClock.nowMs,
      quit(isInterrupt) {
        if (isQuitting) {
          screen.close()
          process.exit(INTERRUPT_EXIT_CODE)
        }
        isQuitting = true
        stop(isInterrupt ? INTERRUPT_EXIT_CODE : EXIT_CODES.ok)
      },
    })
    const running = runListener({
      ...run,
      onRecord: screen.record,
      onReady: ({ webhook_secret }) => screen.setSecret(webhook_secret),
    })
    stop = onInterrupt(running.stop, running.terminationCode)
    // A screen that ends before the user quits is an error.
    const hasFailed = screen.ended.then(() => stop(EXIT_CODES.unexpected))
    try {
      return await Promise.race([running.ended, hasFailed.then(() => running.ended)])
    } finally {
      const { events, failed } = screen.close()
      const resend = failed === 0 ? '' : ' Resend them: paycli events resend --failed'
      printNote(`${events} ${events === 1 ? 'event' : 'events'}, ${failed} failed.${resend}`)
    }
  }
}
