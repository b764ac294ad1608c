import { BaseCommand } from '../src/cli/base-command.ts'
import { durationMs } from '../src/cli/durations.ts'
import { EXIT_CODES } from '../src/cli/exit-codes.ts'
import { boolean, string } from '../src/cli/options.ts'
import { printData, printNote, renderJson, renderText } from '../src/cli/output.ts'
import { isProcessRunning } from '../src/cli/processes.ts'
import { until } from '../src/cli/until.ts'
import { findRunning } from '../src/cli/whereabouts.ts'

export default class Stop extends BaseCommand {
  static override summary = "Stops this user's local service, and waits until it has ended."
  static override description =
    'What it was answering is finished first. Fine too when none runs. Exits with 7 when it takes too long.'
  static override baseFlags = {}
  static override flags = {
    timeout: string({ description: 'How long to wait.', helpValue: '<30s|2m>', default: '30s' }),
    json: boolean({ description: 'Print what was stopped as JSON.' }),
  }
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --timeout 5s',
  ]

  override async run(): Promise<void> {
    const { flags } = await this.parse(Stop)
    const timeoutMs = durationMs('timeout', flags.timeout)
    const running = await findRunning(process.env)
    if (running === null) {
      if (flags.json) printData(renderJson({ stopped: null }))
      printNote('No paycli of yours runs here.')
      return
    }
    const { pid, api_url } = running
    process.kill(pid, 'SIGTERM')
    if (!(await until(async () => !isProcessRunning(pid), { timeoutMs }))) {
      printNote(`It still runs as process ${pid} after ${flags.timeout}: it may be finishing deliveries.`)
      process.exitCode = EXIT_CODES.timeout
      return
    }
    if (flags.json) printData(renderJson({ stopped: running }))
    printNote(renderText(`Stopped the service at ${api_url}.`))
  }
}
