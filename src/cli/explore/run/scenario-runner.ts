import { isAcceptingConnections } from '../../../client/port-probe.ts'
import { UsageError } from '../../errors/usage-error.ts'
import { parseTargetUrl } from '../../listen/forward-flags.ts'
import { createProcessGroups } from '../../processes/process-groups.ts'
import type { ScenarioRunner } from '../model/run-record.ts'
import { forwardApiRequest } from './api-proxy.ts'
import { findFreePort, openProxyServer } from './local-servers.ts'
import type { ExplorationSetup, PerformScenario, ScenarioRun } from './run-context.ts'
import { openRunSandboxSource, type RunSandboxSourceOptions } from './run-sandbox-source.ts'
import { runScenarioInSandbox } from './scenario-run.ts'
import { forwardWebhook } from './webhook-proxy.ts'

export interface ScenarioRunnerOptions
  extends RunSandboxSourceOptions,
    Pick<ExplorationSetup, 'scenario' | 'command' | 'commands'> {
  /** The webhook address of the app: a port, a URL, or a path, with which the app gets a free port (default: no webhooks). */
  readonly forwardTo: string | null
  /** The seed for the choice of a free port. */
  readonly portSeed: number
}

/** Starts the server and both proxies of an exploration. */
export async function openScenarioRunner(options: ScenarioRunnerOptions) {
  const target = await resolveTarget(options)
  await requireFreePort(target.appUrl)
  let current: ScenarioRun | null = null
  const closers: (() => Promise<void>)[] = []
  const close = async () => {
    for (const one of closers.splice(0).reverse()) await one()
  }
  try {
    const apiProxy = await openProxyServer(async (request, response) => {
      if (current === null) throw new Error('there is no run')
      await forwardApiRequest(request, response, current)
    })
    closers.push(apiProxy.close)
    const webhookProxy = await openProxyServer(async (request, response) => {
      // A delivery of an earlier run must not reach the app of this run.
      if (current === null || request.url !== `/${current.number}`) throw new Error('the run has ended')
      await forwardWebhook(request, response, current)
    })
    closers.push(webhookProxy.close)
    const sandboxes = await openRunSandboxSource(
      options,
      target.webhookUrl === null ? null : webhookProxy.url,
    )
    closers.push(sandboxes.close)
    const groups = createProcessGroups(sandboxes.watch)
    const setup: ExplorationSetup = {
      ...{ ...options, ...target, sandboxes, groups },
      apiProxyUrl: apiProxy.url,
      times: { settleMs: 0, scenarioMs: 0, idleMs: 0 },
      route: (run) => {
        current = run
      },
    }
    const run: ScenarioRunner['run'] = (schedule, runOptions = {}) =>
      runScenarioInSandbox(setup, schedule, runOptions)
    /** Runs another scenario once without faults. */
    const perform = async (scenario: PerformScenario, signal: AbortSignal) => {
      const own = { ...setup, scenario }
      const record = await runScenarioInSandbox(own, [], { isExpected: () => true, signal })
      setup.webhookUrl = own.webhookUrl
      return record
    }
    return { run, perform, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function resolveTarget({
  forwardTo,
  portSeed,
}: ScenarioRunnerOptions): Promise<Pick<ExplorationSetup, 'appUrl' | 'webhookUrl'>> {
  if (forwardTo !== null && !forwardTo.startsWith('/')) {
    const url = parseTargetUrl(forwardTo)
    return { appUrl: new URL(url).origin, webhookUrl: url }
  }
  const appUrl = `http://localhost:${await findFreePort(portSeed)}`
  return { appUrl, webhookUrl: forwardTo === null ? null : appUrl + forwardTo }
}

async function requireFreePort(appUrl: string): Promise<void> {
  if (!(await isAcceptingConnections(appUrl))) return
  const { host } = new URL(appUrl)
  throw new UsageError('port_taken', `Another process listens at ${host}.`, {
    hint: 'Stop the other process: paycli starts the app itself. Or give only the path of the webhook handler, such as /webhooks, to use a free port.',
  })
}
