import { BaseCommand, toExamples } from '../../src/cli/command/base-command.ts'
import { parseTargetUrl } from '../../src/cli/listen/forward-flags.ts'
import { EXIT_CODES } from '../../src/cli/output/exit-codes.ts'
import { parseDurationSeconds } from '../../src/cli/parse/duration.ts'
import { string, textArg } from '../../src/cli/parse/flag-builders.ts'
import {
  type CheckCaseReport,
  createCheckReport,
  createSampleEvent,
  formatCheckReport,
  runCheckCases,
} from '../../src/cli/webhook-tools/handler-check.ts'
import { readSigningSecret, secretFlag } from '../../src/cli/webhook-tools/webhook-secret.ts'
import { getUnixSeconds, systemClock } from '../../src/daemon/system/clock.ts'
import { createIdGenerators } from '../../src/daemon/system/ids.ts'
import { createHandlerTestClient } from '../../src/webhooks/handler-test-client.ts'

export default class WebhooksCheck extends BaseCommand {
  static override summary = 'Test a webhook handler with difficult deliveries'
  static override description =
    'Sends valid deliveries: rotated signatures, duplicates, events out of order, unknown types and fields, and large or unusually formatted bodies. Then sends deliveries with wrong, missing, stale and future signatures. Each delivery is sent once, and nothing is stored. Exits with 8 if the handler fails a test; a warning does not change the exit code.'
  static override args = {
    url: textArg({ description: 'URL of the handler, a port, or a port with a path.', required: true }),
  }
  static override flags = {
    ...secretFlag,
    slow: string({
      description: 'Maximum response time. A slower response fails.',
      helpValue: '<5s>',
      default: '5s',
    }),
  }
  static override examples = toExamples([
    '3000/webhooks',
    'https://shop.example.com/hook --secret whsec_… --slow 2s --json',
  ])

  override async run(): Promise<void> {
    const { words, flags } = await this.readInput()
    const url = parseTargetUrl(words[0] ?? '', 'url')
    const secret = readSigningSecret(flags, process.env)
    const slowMs = parseDurationSeconds('slow', String(flags['slow'])) * 1000
    const ids = createIdGenerators()
    const { nowMs } = systemClock
    const tools = createHandlerTestClient({ nowMs, newEventId: () => ids.newId('evt_'), timeoutMs: slowMs })
    const cases = tools.createCases(url, secret, createSampleEvent(getUnixSeconds(systemClock)))
    const send = ({ request }: (typeof cases)[number]) => tools.send(request)
    const report = createCheckReport(url, await runCheckCases(cases, send, { slowMs, isOver: isUnreachable }))
    await tools.close()
    this.printView(report, (_, view) => formatCheckReport(report, view))
    if (report.failed > 0 || report.unproven > 0) process.exitCode = EXIT_CODES.assertion
  }
}

/**
 * Returns whether no handler responds at the first attempt. Allows a second attempt after a timeout, which may be a cold
 * start.
 */
function isUnreachable(reports: readonly CheckCaseReport[]): boolean {
  const maxAttempts = reports.at(-1)?.error === 'timeout' ? 2 : 1
  return reports.length === maxAttempts && reports.every(({ http_status }) => http_status === null)
}
