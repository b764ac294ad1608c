import { isAcceptingConnections } from '../../../client/port-probe.ts'
import { UsageError } from '../../errors/usage-error.ts'
import { parseTargetUrl } from '../../listen/forward-flags.ts'
import { createProcessGroups } from '../../processes/process-groups.ts'
import type { ScenarioRunner } from '../model/run-record.ts'
import { forwardApiRequest } from './api-proxy.ts'
import { findFreePort, openProxyServer } from './local-servers.ts'
import type { ExplorationSetup, PerformScenario } from './run-context.ts'
import { openRunSandboxSource, type RunSandboxSourceOptions } from './run-sandbox-source.ts'
import type { Scenario } from './scenario.ts'
import { runScenarioInSandbox } from './scenario-run.ts'
import { forwardWebhook } from './webhook-proxy.ts'

/** The start of the path of webhooks at the proxy, before the number of the run. */
const WEBHOOKS = '/run_webhooks/'

export interface ScenarioRunnerOptions
  extends RunSandboxSourceOptions,
    Pick<ExplorationSetup, 'command' | 'commands'> {
  readonly scenario: Scenario | PerformScenario
  /** The webhook address of the app: a port, a URL, or a path, with which the app gets a free port (default: no webhooks). */
  readonly forwardTo: string | null
  /** The seed for the choice of a free port. */
  readonly portSeed: number
}

/** Starts the server, and the proxy for the API requests of the app and for its webhooks. */
export async function openScenarioRunner(options: ScenarioRunnerOptions) {
  const target = await resolveTarget(options)
  await requireFreePort(target.appUrl)
  const proxy = await openProxyServer(async (request, response) => {
    const { current } = setup
    if (current === null) throw new Error('there is no run')
    if (!request.url?.startsWith(WEBHOOKS)) return forwardApiRequest(request, response, current)
    // A delivery of an earlier run must not reach the app of this run.
    if (request.url !== `${WEBHOOKS}${current.number}`) throw new Error('the run has ended')
    await forwardWebhook(request, response, current)
  })
  const webhookBase = target.webhookUrl === null ? null : proxy.url + WEBHOOKS
  const sandboxes = await openRunSandboxSource(options, webhookBase).catch(async (error: unknown) => {
    await proxy.close()
    throw error
  })
  const setup: ExplorationSetup = {
    ...{ ...options, ...target, sandboxes, groups: createProcessGroups(sandboxes.watch) },
    ...{ proxyUrl: proxy.url, current: null },
    times: { settleMs: 0, scenarioMs: 0, idleMs: 0 },
  }
  const run: ScenarioRunner['run'] = (schedule, runOptions = {}) =>
    runScenarioInSandbox(setup, options.scenario, schedule, runOptions)
  return {
    run,
    /** Runs another scenario once without faults. */
    perform: (scenario: PerformScenario, signal: AbortSignal) =>
      runScenarioInSandbox(setup, scenario, [], { isExpected: () => true, signal }),
    async close() {
      await sandboxes.close()
      await proxy.close()
    },
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
