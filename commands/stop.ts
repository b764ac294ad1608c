import { BaseCommand } from '../src/cli/base-command.ts'
import { durationMs } from '../src/cli/durations.ts'
import { EXIT_CODES } from '../src/cli/exit-codes.ts'
import { boolean, integer, string } from '../src/cli/options.ts'
import { printData, printNote, renderJson, renderText } from '../src/cli/output.ts'
import { isProcessRunning } from '../src/cli/processes.ts'
import { until } from '../src/cli/until.ts'
import { othersNote, ownAmong, type RunningService, runningServices } from '../src/cli/whereabouts.ts'

export default class Stop extends BaseCommand {
  static override summary = "Stops this user's local service, and waits until it has ended."
  static override description =
    'That is the one which commands find, by PAYCLI_API_BASE or by themselves, unless --pid or --all says otherwise. What it was answering is finished first. Fine too when none runs. Exits with 7 when it takes too long.'
  static override baseFlags = {}
  static override flags = {
    pid: integer({
      description: 'Stop the service that is this process, as paycli status --all tells them.',
      helpValue: '<process>',
      min: 1,
      exclusive: ['all'],
    }),
    all: boolean({ description: 'Stop all local services of this user.' }),
    timeout: string({ description: 'How long to wait.', helpValue: '<30s|2m>', default: '30s' }),
    json: boolean({ description: 'Print what was stopped as JSON.' }),
  }
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --timeout 5s',
    '<%= config.bin %> <%= command.id %> --all',
  ]

  override async run(): Promise<void> {
    const { flags } = await this.parse(Stop)
    const { pid, all, json, timeout } = flags
    const timeoutMs = durationMs('timeout', timeout)
    const running = await runningServices(process.env)
    const found = ownAmong(running, process.env)
    const isMeant = (one: RunningService) => all || (pid === undefined ? one === found : one.pid === pid)
    const meant = running.filter(isMeant)
    for (const one of meant) process.kill(one.pid, 'SIGTERM')
    const alive = () => meant.filter((one) => isProcessRunning(one.pid))
    if (!(await until(async () => alive().length === 0, { timeoutMs }))) {
      const pids = alive().map((one) => one.pid)
      printNote(
        `It still runs as process ${pids.join(', ')} after ${timeout}: it may be finishing deliveries.`,
      )
      process.exitCode = EXIT_CODES.timeout
      return
    }
    const stopped = meant.map((one) => ({ pid: one.pid, api_url: one.api_url }))
    if (json) printData(renderJson({ stopped: all ? stopped : (stopped[0] ?? null) }))
    if (meant.length === 0) printNote(renderText(nothingStopped(pid, running.length > 0)))
    for (const { api_url } of stopped) printNote(renderText(`Stopped the service at ${api_url}.`))
    const others = othersNote(running.filter((one) => !isMeant(one)))
    if (others !== null) printNote(renderText(others))
  }
}

function nothingStopped(pid: number | undefined, isAnyRunning: boolean): string {
  if (pid !== undefined) return `No paycli of yours runs as process ${pid}.`
  const { PAYCLI_API_BASE: base } = process.env
  if (base) return `No paycli of yours on this machine runs at ${base}.`
  return isAnyRunning ? 'The paycli that commands find does not run.' : 'No paycli of yours runs here.'
}
