import { ApiError } from '../../client/api-error.ts'
import { createClient } from '../../client/client.ts'
import { ConnectionError } from '../../client/connection-error.ts'
import { DEFAULT_SANDBOX } from '../../domain/sandboxes.ts'
import { ExpectationError } from '../errors/expectation-error.ts'
import { UsageError } from '../errors/usage-error.ts'
import { boolean } from '../parse/options.ts'
import { findStoredSandbox } from '../service/sandbox-keys.ts'

/** The flag of `serve` for the dashboard. */
export const dashboardFlag = {
  dashboard: boolean({
    description: 'Serve the dashboard (default: unless other machines can reach the server).',
    allowNo: true,
  }),
}

interface DashboardChoice {
  readonly dashboard: boolean | undefined
  readonly 'api-url': string | undefined
}

/**
 * Returns whether `serve` has a dashboard. Throws when other machines would reach it over plain HTTP: its cookie could be
 * read on the way, and browsers would not say which page sent a request.
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
  return ['127.0.0.1', 'localhost', '[::1]'].includes(URL.parse(url)?.hostname ?? '')
}

/** The address and the API key of the server. */
interface ServerLocation {
  readonly api_url: string
  readonly api_key: string
}

/** Creates the scenes of the dashboard, which are the triggers of `paycli trigger`. */
export function createScenes(location: ServerLocation) {
  const triggers = () => import('../trigger/trigger.ts')
  return {
    list: async () => (await triggers()).listTriggers(),
    async run(type: string, sandbox: string): Promise<object> {
      try {
        const { trigger } = await triggers()
        const { parseOverrides } = await import('../trigger/trigger-overrides.ts')
        const client = createClient({ apiBase: location.api_url, apiKey: keyOf(sandbox, location) })
        const overrides = parseOverrides({ override: [], add: [], remove: [] })
        return await trigger(client, type, { id: undefined, overrides })
      } catch (error) {
        if (!isExpected(error)) throw error
        const hint = 'hint' in error ? error.hint : null
        return { object: 'scene_failure', message: error.message, hint }
      }
    },
  }
}

function keyOf(sandbox: string, { api_url, api_key }: ServerLocation): string {
  if (sandbox === DEFAULT_SANDBOX) return api_key
  const stored = findStoredSandbox(process.env, api_url, sandbox)
  if (stored !== undefined) return stored.api_key
  throw new UsageError('sandbox_unknown', `No key of sandbox '${sandbox}' is stored on this machine.`, {
    hint: 'Scenes run in sandboxes that you created with paycli sandboxes create on this machine.',
  })
}

function isExpected(error: unknown): error is Error {
  return [UsageError, ExpectationError, ApiError, ConnectionError].some((type) => error instanceof type)
}
