import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { isAcceptingConnections } from '../../../client/port-probe.ts'
import { waitUnlessAborted } from '../../../client/timing.ts'
import { UsageError } from '../../errors/usage-error.ts'
import { type ProcessGroups, waitForOutputEnd } from '../../processes/process-groups.ts'
import type { RunRecorder } from './run-recorder.ts'

export interface AppProcessOptions {
  /** The program and its arguments. */
  readonly command: readonly string[]
  readonly env: NodeJS.ProcessEnv
  /** The address at which the app accepts connections when it is ready. */
  readonly url: string
  readonly groups: ProcessGroups
  readonly recorder: Pick<RunRecorder, 'recordAppChange'>
  readonly nowMs: () => number
  readonly signal?: AbortSignal | undefined
}

/** The app of the user in one run. */
export type AppProcess = ReturnType<typeof createAppProcess>

const MAX_LOG_LINES = 200
const MAX_LOG_CHARACTERS = 200_000
const START_TIMEOUT_MS = 30_000
const STOP_TIMEOUT_MS = 10_000
const FIRST_POLL_MS = 4
const MAX_POLL_MS = 50
const NEVER = new AbortController().signal

/** Creates the app of a run without starting the app. */
export function createAppProcess(options: AppProcessOptions) {
  const { command, env, url, groups, recorder, nowMs, signal } = options
  let output = ''
  let child: ChildProcess | null = null
  let isCrashed = false
  let isStopped = false
  let restarting: Promise<void> | null = null

  const addOutput = (text: string) => {
    output = (output + text).slice(-MAX_LOG_CHARACTERS)
  }
  const log = () => output.trimEnd().split('\n').slice(-MAX_LOG_LINES).join('\n')

  function launch() {
    const started = groups.start(command, env)
    for (const stream of [started.stdout, started.stderr]) stream.setEncoding('utf8').on('data', addOutput)
    started.once('error', (error) => addOutput(`${error.message}\n`))
    started.once('exit', () => {
      // Descendants of the app must end with the app.
      groups.kill(started)
      if (child !== started) return
      child = null
      isCrashed = true
      recorder.recordAppChange('crashed')
    })
    return started
  }

  async function start(): Promise<void> {
    const started = launch()
    child = started
    const isReadyOrEnded = async () => hasEnded(started) || isAcceptingConnections(url)
    if ((await poll(isReadyOrEnded, START_TIMEOUT_MS, options)) && !hasEnded(started)) return
    // Wait for the last output of the app, which the error contains.
    if (hasEnded(started) && started.pid !== undefined) await waitForOutputEnd(started)
    throw startError(options, hasEnded(started) ? describeEnd(started) : null, log())
  }

  async function kill(): Promise<void> {
    const killed = child
    child = null
    if (killed === null) return
    const ended = hasEnded(killed) ? null : once(killed, 'exit')
    groups.kill(killed)
    await ended
    // Wait without the signal of the run, because the next run needs the port.
    const isFree = await poll(async () => !(await isAcceptingConnections(url)), STOP_TIMEOUT_MS, { nowMs })
    if (!isFree) throw portError(url)
  }

  async function restartOnce(): Promise<void> {
    recorder.recordAppChange('killed')
    await kill()
    if (isStopped) return
    try {
      await start()
      recorder.recordAppChange('restarted')
    } catch (error) {
      signal?.throwIfAborted()
      if (!(error instanceof UsageError)) throw error
      isCrashed = true
      addOutput(`${error.message}\n`)
    }
  }

  return {
    /**
     * Starts the app and waits until it accepts connections. Throws a UsageError with the app's output if the app ends
     * or does not accept connections within 30 s.
     */
    start,
    /** Kills the app, starts it again and waits until it is ready. Callers during a restart share that restart. */
    restart() {
      restarting ??= restartOnce().finally(() => {
        restarting = null
      })
      return restarting
    },
    /** Resolves immediately, or when the current restart is complete. */
    waitUntilReady: async () => restarting ?? undefined,
    /** Kills the app and waits until its port is free. */
    async stop() {
      isStopped = true
      await kill()
      // A concurrent restart still waits for the port, which the next run needs.
      await restarting?.catch(() => {})
    },
    /** Returns whether the app ended unexpectedly or did not start again. */
    hasCrashed: () => isCrashed,
    /** Returns the last lines of the output of the app. */
    log,
  }
}

function hasEnded({ exitCode, signalCode, pid }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null || pid === undefined
}

async function poll(
  condition: () => Promise<boolean>,
  timeoutMs: number,
  { nowMs, signal = NEVER }: Pick<AppProcessOptions, 'nowMs' | 'signal'>,
): Promise<boolean> {
  const startedMs = nowMs()
  for (let waitMs = FIRST_POLL_MS; ; waitMs = Math.min(waitMs * 1.5, MAX_POLL_MS)) {
    if (await condition()) return true
    if (nowMs() - startedMs >= timeoutMs) return false
    await waitUnlessAborted(waitMs, signal)
  }
}

function describeEnd({ exitCode, signalCode, pid }: ChildProcess): string {
  if (pid === undefined) return 'it cannot be run'
  return exitCode === null ? `it was ended by ${signalCode}` : `it ended with exit code ${exitCode}`
}

const MAX_ERROR_LINES = 20

function startError({ command, url, env }: AppProcessOptions, end: string | null, log: string): UsageError {
  const { host } = new URL(url)
  const problem = end ?? `it did not accept connections at ${host} within ${START_TIMEOUT_MS / 1000} s`
  const shown = log.split('\n').slice(-MAX_ERROR_LINES).join('\n')
  const output = shown === '' ? 'It printed nothing.' : `Its output:\n${shown}`
  const secret = env['PAYCLI_WEBHOOK_SECRET']
    ? ''
    : ' Without --forward-to, PAYCLI_WEBHOOK_SECRET is not set.'
  return new UsageError('app_not_started', `The app '${command.join(' ')}' did not start: ${problem}.`, {
    hint: `The app must listen at ${host}. PORT contains its port.${secret} ${output}`,
  })
}

function portError(url: string): UsageError {
  const { host } = new URL(url)
  return new UsageError('app_not_stopped', `The app was killed, but ${host} still accepts connections.`, {
    hint: 'The app must not start processes in another process group or session.',
  })
}
