import { BaseCommand, toExamples } from '../src/cli/command/base-command.ts'
import { EXIT_CODES } from '../src/cli/output/exit-codes.ts'
import { printNote, renderJson, writeToStdout } from '../src/cli/output/output.ts'
import { parseDurationSeconds } from '../src/cli/parse/duration.ts'
import { boolean, integer, string } from '../src/cli/parse/flag-builders.ts'
import { getWritableHomeFolder } from '../src/cli/service/home.ts'
import { readProcessStart } from '../src/cli/service/process-start.ts'
import { isOwnProcessRunning } from '../src/cli/service/processes.ts'
import {
  findConfiguredService,
  formatRunningServicesNote,
  listLocalServices,
  type RunningDaemonStatus,
} from '../src/cli/service/service-status.ts'
import { pollUntil } from '../src/cli/sessions/poll-until.ts'

/** Maximum time for the system to end a killed process. */
const KILL_TIMEOUT_MS = 5000

export default class Stop extends BaseCommand {
  static override summary = 'Stop the local server'
  static override description =
    'Stops the server that commands use. Waits until the server has finished its requests and exited. Succeeds if no server runs. Exits with 7 if the server still runs after the timeout, unless --force kills it.'
  static override baseFlags = {}
  static override flags = {
    pid: integer({
      description: 'Stop the server with this process id (see paycli status --all).',
      helpValue: '<process>',
      min: 1,
      exclusive: ['all'],
    }),
    all: boolean({ description: 'Stop all local servers of the current user.' }),
    timeout: string({ description: 'Maximum time to wait.', helpValue: '<30s|2m>', default: '30s' }),
    force: boolean({ description: 'Kill a server that is still running after the timeout.' }),
    json: boolean({ description: 'Print the stopped servers as JSON.' }),
  }
  static override examples = toExamples(['', '--timeout 5s --force', '--all'])

  override async run(): Promise<void> {
    const { flags } = await this.parse(Stop)
    const { pid, all, json, timeout, force } = flags
    const timeoutMs = parseDurationSeconds('timeout', timeout) * 1000
    const local = await listLocalServices(process.env)
    const running = local.map(({ service }) => service)
    const found = findConfiguredService(running, process.env)
    const isSelected = (one: RunningDaemonStatus) =>
      all || (pid === undefined ? one === found : one.pid === pid)
    const unverified = local.flatMap(({ service, isVerified }) => (isVerified ? [] : [service]))
    const skipped = unverified.filter(isSelected)
    for (const one of skipped) printNote(unverifiedNote(one))
    if (skipped.length > 0) process.exitCode = EXIT_CODES.timeout
    const services = running.filter((one) => isSelected(one) && !unverified.includes(one))
    if (skipped.length > 0 && services.length === 0) return
    if (!(await stopAll(services, timeout, timeoutMs, force))) {
      process.exitCode = EXIT_CODES.timeout
      return
    }
    const stopped = services.map((one) => ({ pid: one.pid, api_url: one.api_url }))
    if (json) writeToStdout(renderJson({ stopped: all ? stopped : (stopped[0] ?? null) }))
    if (services.length === 0) printNote(nothingStoppedNote(pid, running.length > 0))
    for (const { api_url } of stopped) printNote(`Stopped the server at ${api_url}.`)
    const others = formatRunningServicesNote(
      running.filter((one) => !isSelected(one) && !unverified.includes(one)),
    )
    if (others !== null) printNote(others)
  }
}

/**
 * Stops servers. With `isForced`, kills the processes that still run after the timeout. Resolves with true when no
 * process is left.
 */
async function stopAll(
  services: readonly RunningDaemonStatus[],
  timeout: string,
  timeoutMs: number,
  isForced: boolean,
): Promise<boolean> {
  const starts = new Map(services.map(({ pid }) => [pid, readProcessStart(pid)]))
  const running = () => services.map(({ pid }) => pid).filter(isOwnProcessRunning)
  for (const pid of running()) process.kill(pid, 'SIGTERM')
  if (await pollUntil(async () => running().length === 0, timeoutMs)) return true
  const pids = running().join(', ')
  if (!isForced) {
    printNote(`Still running after ${timeout}: process ${pids}. Increase --timeout, or kill it with --force.`)
    return false
  }
  // The system may have reused the process id for another process.
  const isSame = (pid: number) => readProcessStart(pid) === starts.get(pid)
  for (const pid of running().filter(isSame)) process.kill(pid, 'SIGKILL')
  printNote(`Killed process ${pids}: it was still running after ${timeout}.`)
  return pollUntil(async () => running().length === 0, KILL_TIMEOUT_MS)
}

function unverifiedNote({ pid, api_url }: RunningDaemonStatus): string {
  const home = getWritableHomeFolder(process.env)
  return `Process ${pid} was not signalled: it may not be the server at ${api_url}, which does not respond or runs in another container. Check it with: ps -p ${pid}. If it is the server, end it with: kill ${pid}. If not, delete its files in ${home}: daemon.json, and its file in services.`
}

function nothingStoppedNote(pid: number | undefined, isAnyRunning: boolean): string {
  if (pid !== undefined) return `You have no server with process id ${pid}.`
  const { PAYCLI_API_BASE: base } = process.env
  if (base) return `You have no server at ${base} on this machine.`
  return isAnyRunning
    ? 'The server that commands use is not running.'
    : 'You have no running server on this machine.'
}
