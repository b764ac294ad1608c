import { ApiError } from '../../client/api-error.ts'
import { createClient } from '../../client/client.ts'
import type { CallableOperation } from '../../client/request.ts'
import { DEFAULT_SANDBOX } from '../../domain/sandboxes/sandboxes.ts'
import { UsageError } from '../errors/usage-error.ts'
import type { FlagValues } from '../parse/params.ts'
import { resolveConnectionConfig } from './config.ts'
import { readServiceStatus } from './service-status.ts'

const LOGINS: CallableOperation = { method: 'POST', path: '/dashboard/logins' }

/** Functions that return the address of a page of the server, by the argument of `paycli open`. */
export const PAGE_URL_READERS: ReadonlyMap<string, (flags: FlagValues) => Promise<string>> = new Map([
  ['docs', readReferenceUrl],
  ['dashboard', createDashboardUrl],
])

async function readReferenceUrl(flags: FlagValues): Promise<string> {
  const { api_url } = await readServiceStatus(flags, process.env)
  return `${api_url}/docs`
}

// The key of the server signs a browser in to every sandbox. Without that key, the key of a sandbox signs in to that
// sandbox only.
async function createDashboardUrl(flags: FlagValues): Promise<string> {
  const selected = await readServiceStatus(flags, process.env)
  const serverFlags = { ...flags, sandbox: DEFAULT_SANDBOX }
  const server = await readServiceStatus(serverFlags, process.env)
  const isServerKey = server.api_key !== null && server.sandbox === undefined
  const config = resolveConnectionConfig(isServerKey ? serverFlags : flags, process.env)
  const client = createClient(config)
  const login = await client.send(LOGINS, {}).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 404) throw noDashboardError(config.apiBase)
    throw error
  })
  const url = new URL(String(Reflect.get(login, 'url')))
  if (selected.sandbox !== undefined) url.searchParams.set('sandbox', selected.sandbox)
  return url.href
}

function noDashboardError(apiUrl: string): UsageError {
  return new UsageError('dashboard_missing', `The server at ${apiUrl} has no dashboard.`, {
    hint: 'Start the server with paycli serve --dashboard.',
  })
}
