import { BaseCommand } from '../src/cli/command/base-command.ts'
import { EXIT_CODES } from '../src/cli/output/exit-codes.ts'
import { printData, printNote, renderJson, renderText } from '../src/cli/output/output.ts'
import { durationMs } from '../src/cli/parse/durations.ts'
import { boolean, integer, string } from '../src/cli/parse/options.ts'
import { userHome } from '../src/cli/service/home.ts'
import { processStart } from '../src/cli/service/process-start.ts'
import { isProcessRunning } from '../src/cli/service/processes.ts'
import {
  localServices,
  othersNote,
  ownAmong,
  type RunningService,
} from '../src/cli/service/service-status.ts'
import { until } from '../src/cli/sessions/until.ts'

/** How long the system may take to end a process that was killed. */
const KILL_LIMIT_MS = 5000

export default class Stop extends BaseCommand {
  static override summary = "Stops this user's local service, and waits until it has ended."
  static override description =
    'That is the one which commands find, by PAYCLI_API_BASE or by themselves, unless --pid or --all says otherwise. What it was answering is finished first. Fine too when none runs. Exits with 7 when it is still running after the timeout; --force then kills it.'
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
    force: boolean({ description: 'Kill a service that is still running after the timeout.' }),
    json: boolean({ description: 'Print what was stopped as JSON.' }),
  }
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --timeout 5s --force',
    '<%= config.bin %> <%= command.id %> --all',
  ]

  override async run(): Promise<void> {
    const { flags } = await this.parse(Stop)
    const { pid, all, json, timeout, force } = flags
    const timeoutMs = durationMs('timeout', timeout)
    const local = await localServices(process.env)
    const running = local.map(({ service }) => service)
    const found = ownAmong(running, process.env)
    const isMeant = (one: RunningService) => all || (pid === undefined ? one === found : one.pid === pid)
    const unverified = local.flatMap(({ service, isVerified }) => (isVerified ? [] : [service]))
    const unsure = unverified.filter(isMeant)
    for (const one of unsure) printNote(renderText(notSignalled(one)))
    if (unsure.length > 0) process.exitCode = EXIT_CODES.timeout
    const meant = running.filter((one) => isMeant(one) && !unverified.includes(one))
    if (unsure.length > 0 && meant.length === 0) return
    if (!(await ended(meant, { timeout, timeoutMs, isForced: force }))) {
      process.exitCode = EXIT_CODES.timeout
      return
    }
    const stopped = meant.map((one) => ({ pid: one.pid, api_url: one.api_url }))
    if (json) printData(renderJson({ stopped: all ? stopped : (stopped[0] ?? null) }))
    if (meant.length === 0) printNote(renderText(nothingStopped(pid, running.length > 0)))
    for (const { api_url } of stopped) printNote(renderText(`Stopped the service at ${api_url}.`))
    const others = othersNote(running.filter((one) => !isMeant(one) && !unverified.includes(one)))
    if (others !== null) printNote(renderText(others))
  }
}

interface Patience {
  readonly timeout: string
  readonly timeoutMs: number
  readonly isForced: boolean
}

/** Ends services, those that are left after the timeout by force if asked to; resolves with whether none is left. */
async function ended(
  services: readonly RunningService[],
  { timeout, timeoutMs, isForced }: Patience,
): Promise<boolean> {
  const starts = new Map(services.map(({ pid }) => [pid, processStart(pid)]))
  const left = () => services.map(({ pid }) => pid).filter(isProcessRunning)
  for (const pid of left()) process.kill(pid, 'SIGTERM')
  if (await until(async () => left().length === 0, { timeoutMs })) return true
  const pids = left().join(', ')
  if (!isForced) {
    printNote(
      `Still running after ${timeout}: process ${pids}. Wait longer with --timeout, or kill it with --force.`,
    )
    return false
  }
  // Another process may have been given the number while this one waited.
  const isSame = (pid: number) => processStart(pid) === starts.get(pid)
  for (const pid of left().filter(isSame)) process.kill(pid, 'SIGKILL')
  printNote(`Killed process ${pids}, which was still running after ${timeout}.`)
  return until(async () => left().length === 0, { timeoutMs: KILL_LIMIT_MS })
}

function notSignalled({ pid, api_url }: RunningService): string {
  const home = userHome(process.env)
  return `Process ${pid} was not signalled: it cannot be verified to be the service at ${api_url}, which does not answer or is in another container. See what it is: ps -p ${pid}. If it is that service, end it: kill ${pid}. If not, remove the files that name it in ${home}: daemon.json, and one in services.`
}

function nothingStopped(pid: number | undefined, isAnyRunning: boolean): string {
  if (pid !== undefined) return `No paycli of yours runs as process ${pid}.`
  const { PAYCLI_API_BASE: base } = process.env
  if (base) return `No paycli of yours on this machine runs at ${base}.`
  return isAnyRunning ? 'The paycli that commands find does not run.' : 'No paycli of yours runs here.'
}
