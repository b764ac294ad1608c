import { createClient } from '../../client/client.ts'
import { DEFAULT_SANDBOX } from '../../domain/sandboxes/sandboxes.ts'
import { isLoopbackHost } from '../../domain/text/loopback-hosts.ts'
import { UsageError } from '../errors/usage-error.ts'
import { boolean } from '../parse/flag-builders.ts'
import { findStoredSandbox } from '../service/sandbox-keys.ts'
import { toSceneFailure } from './scene-failure.ts'
import type { StartedServer } from './started-server.ts'

/** The flags of `serve` for the dashboard. */
export const dashboardFlags = {
  dashboard: boolean({
    description: 'Serve the dashboard (default: unless other machines can reach the server).',
    allowNo: true,
  }),
  'log-bodies': boolean({
    description: 'Keep the newest request and response bodies in memory for the dashboard (default: true).',
    allowNo: true,
    default: true,
  }),
}

interface DashboardChoice {
  readonly dashboard: boolean | undefined
  readonly 'api-url': string | undefined
}

/**
 * Returns whether `serve` has a dashboard. Throws when other machines would reach the dashboard over plain HTTP: its
 * cookie could be intercepted. Browsers would also omit the Sec-Fetch headers that the dashboard requires.
 */
export function hasDashboard({ dashboard, 'api-url': apiUrl }: DashboardChoice, isExposed: boolean): boolean {
  // A proxy on this machine makes the public address reachable too.
  const isReachable = isExposed || (apiUrl !== undefined && !isLoopbackUrl(apiUrl))
  if (!isReachable || dashboard !== true) return dashboard ?? !isReachable
  if (apiUrl?.startsWith('https:')) return true
  throw new UsageError('flag_invalid', 'Cannot serve the dashboard to other machines over plain HTTP.', {
    param: 'dashboard',
    hint: 'Serve the API through a proxy with HTTPS and give its address with --api-url https://…, or omit --dashboard.',
  })
}

function isLoopbackUrl(url: string): boolean {
  return isLoopbackHost(URL.parse(url)?.hostname ?? '')
}

/** Creates the scenes of the dashboard, which are the triggers of `paycli trigger` and the fixtures of `paycli fixtures run`. */
export function createScenes(location: Pick<StartedServer, 'api_url' | 'api_key'>) {
  const triggers = () => import('../trigger/trigger.ts')
  const clientIn = (sandbox: string) =>
    createClient({ apiBase: location.api_url, apiKey: keyOf(sandbox, location) })
  return {
    list: async () => (await triggers()).listTriggers(),
    async run(type: string, sandbox: string): Promise<object> {
      const { triggerEvent } = await triggers()
      return orFailure(() => triggerEvent(clientIn(sandbox), type))
    },
    async runFixtures(file: unknown, sandbox: string): Promise<object> {
      const { runDashboardFixtures } = await import('./dashboard-fixtures.ts')
      return orFailure(() => runDashboardFixtures(clientIn(sandbox), file))
    },
  }
}

/** Returns the result of a scene, or the expected error with which it failed. */
async function orFailure(run: () => Promise<object>): Promise<object> {
  try {
    return await run()
  } catch (error) {
    return toSceneFailure(error)
  }
}

function keyOf(sandbox: string, { api_url, api_key }: Parameters<typeof createScenes>[0]): string {
  if (sandbox === DEFAULT_SANDBOX) return api_key
  const stored = findStoredSandbox(process.env, api_url, sandbox)
  if (stored !== undefined) return stored.api_key
  throw new UsageError('sandbox_unknown', `No key of sandbox '${sandbox}' is stored on this machine.`, {
    hint: 'Create a sandbox with paycli sandboxes create on this machine, and run the scene in it.',
  })
}
