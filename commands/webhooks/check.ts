import { BaseCommand } from '../../src/cli/command/base-command.ts'
import { parseForwardTarget } from '../../src/cli/listen/forward-target.ts'
import { EXIT_CODES } from '../../src/cli/output/exit-codes.ts'
import { string, word } from '../../src/cli/parse/options.ts'
import { parseSeconds } from '../../src/cli/parse/past-timestamp.ts'
import {
  eventFor,
  judgeTrial,
  reportCheck,
  type TrialReport,
  viewCheck,
} from '../../src/cli/webhook-tools/handler-check.ts'
import { readSecret, secretFlag } from '../../src/cli/webhook-tools/webhook-secret.ts'
import { systemClock, unixSeconds } from '../../src/daemon/clock.ts'
import { createIds } from '../../src/daemon/ids.ts'
import { createBattery, type Trial } from '../../src/webhooks/handler-test-cases.ts'
import { createSender, type Sender } from '../../src/webhooks/send.ts'
import { createTargetGuard } from '../../src/webhooks/ssrf-guard.ts'

export default class WebhooksCheck extends BaseCommand {
  static override summary =
    'Sends a handler the deliveries that break real ones, and tells how it did; exits with 8.'
  static override description =
    'Valid and rotated signatures, duplicates, events out of order, unknown types and fields, a large body; wrong, missing and stale signatures. Everything is sent once, and nothing is stored.'
  static override args = {
    url: word({ description: 'A port, a port with a path, or a URL.', required: true }),
  }
  static override flags = {
    ...secretFlag,
    slow: string({
      description: 'How long an answer may take; one that takes longer fails, and is not waited for.',
      helpValue: '<5s>',
      default: '5s',
    }),
  }
  static override examples = [
    '<%= config.bin %> <%= command.id %> 3000/webhooks',
    '<%= config.bin %> <%= command.id %> https://shop.example.com/hook --secret whsec_… --slow 2s --json',
  ]

  override async run(): Promise<void> {
    const { words, flags } = await this.given()
    const url = parseForwardTarget(words[0] ?? '', 'url')
    const secret = readSecret(flags, process.env)
    const slowMs = parseSeconds('slow', String(flags['slow'])) * 1000
    const ids = createIds()
    const now = unixSeconds(systemClock)
    const event = eventFor(now)
    const battery = createBattery({ url, secret, event, newId: () => ids.newId('evt_'), now })
    const guard = createTargetGuard({ isPublicOnly: false, allowed: [], ownPorts: [] })
    const sender = createSender({ nowMs: systemClock.nowMs, guard, timeoutMs: slowMs })
    const report = reportCheck(url, await runAll(battery, sender, slowMs))
    await sender.close()
    this.printView(report, (style) => viewCheck(report, style))
    if (report.failed > 0 || report.unproven > 0) process.exitCode = EXIT_CODES.assertion
  }
}

async function runAll(battery: readonly Trial[], sender: Sender, slowMs: number): Promise<TrialReport[]> {
  const reports: TrialReport[] = []
  for (const trial of battery) {
    const outcome = await sender.send(trial.request)
    reports.push(judgeTrial(trial, outcome, slowMs))
    // Nobody there to be tried any further; one that is late may only have been asleep.
    const most = outcome.error === 'timeout' ? 2 : 1
    if (reports.length === most && reports.every(({ http_status }) => http_status === null)) break
  }
  return reports
}
