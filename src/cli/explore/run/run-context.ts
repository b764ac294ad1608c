import type { ProcessGroups } from '../../processes/process-groups.ts'
import type { RunOptions } from '../model/run-record.ts'
import type { FaultSchedule, ScheduledFault } from '../model/schedule.ts'
import { createAppProcess } from './app-process.ts'
import { createQuiescenceWatch } from './quiescence.ts'
import { createRequestBarrier } from './request-barrier.ts'
import { createRunRecorder } from './run-recorder.ts'
import type { RunSandbox, RunSandboxSource } from './run-sandbox-source.ts'
import { createStateWatch, type StateSource } from './state-watch.ts'

/** The dependencies and settings that all runs of an exploration share. */
export interface ExplorationSetup {
  /** The app: a program and its arguments. */
  readonly command: readonly string[]
  /** The shell commands and the observer that inspect and reset the app; null for an absent command. */
  readonly commands: Readonly<Record<'expect' | 'reset', string | null>> & {
    readonly observe: StateSource
    /** Prepares the observer before each scenario, when the app has started. */
    readonly begin?: () => Promise<void>
  }
  /** The address at which the app accepts connections. */
  readonly appUrl: string
  /** The webhook address of the app; null without webhooks. `paycli grade` sets the address when the path is found. */
  webhookUrl: string | null
  /** The address of the proxy between app and server. */
  readonly proxyUrl: string
  readonly env: NodeJS.ProcessEnv
  readonly sandboxes: RunSandboxSource
  readonly groups: ProcessGroups
  readonly nowMs: () => number
  readonly times: MeasuredDurations
  /** The run whose requests and webhooks the proxy forwards. */
  current: ScenarioRun | null
}

/** Durations measured in runs without faults. */
interface MeasuredDurations {
  /** The time for which the app works in the background after its last request. */
  settleMs: number
  scenarioMs: number
  /** The longest time without a request during the scenario; 0 before the first run. */
  idleMs: number
}

/** A scenario as a function, whose errors end the run. */
export type PerformScenario = (run: ScenarioRun) => Promise<void>

const INSPECTION_TIMEOUT_MS = 30_000

/** A run of the scenario with its sandbox and its app. */
export type ScenarioRun = ReturnType<typeof createScenarioRun>

/** Creates a run in a sandbox without starting the app. */
export function createScenarioRun(
  setup: ExplorationSetup,
  { handle, number, endpoint }: RunSandbox,
  schedule: FaultSchedule,
  options: RunOptions,
) {
  const { nowMs, groups, appUrl: url, command } = setup
  const signal = options.signal ?? new AbortController().signal
  const { client, apiBase, apiKey, checkoutUrl } = handle
  const recorder = createRunRecorder(schedule, nowMs)
  const toolEnv = {
    ...setup.env,
    ...{ PAYCLI_SANDBOX: '', PAYCLI_PROFILE: '', PAYCLI_API_BASE: apiBase, PAYCLI_API_KEY: apiKey },
    ...{ PAYCLI_CHECKOUT_URL: checkoutUrl, PORT: portOf(url) },
  }
  const secret = endpoint === null ? {} : { PAYCLI_WEBHOOK_SECRET: endpoint.secret }
  const env = { ...toolEnv, ...secret, PAYCLI_API_BASE: setup.proxyUrl }
  const shell = { env: toolEnv, groups, timeoutMs: INSPECTION_TIMEOUT_MS, signal }
  const isBaseline = options.isExpected === undefined
  return {
    ...{ setup, schedule, options, number, endpoint, client, apiBase, recorder, signal, nowMs },
    ...{
      shell,
      isBaseline,
      stateWatch: createStateWatch(isBaseline ? setup.commands.observe : null, shell, nowMs),
    },
    commands: setup.commands,
    target: () => setup.webhookUrl ?? url,
    app: createAppProcess({ command, env, url, groups, recorder, nowMs, signal }),
    barrier: createRequestBarrier(nowMs),
    quiescence: createQuiescenceWatch({ client, recorder, signal, nowMs }),
    /** The scheduled fault of each fault rule of the sandbox, by the id of the rule. */
    rules: new Map<string, ScheduledFault>(),
  }
}

function portOf(url: string): string {
  const { port, protocol } = new URL(url)
  return port === '' ? (protocol === 'https:' ? '443' : '80') : port
}
