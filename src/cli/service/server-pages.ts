import { ApiError } from '../../client/api-error.ts'
import { createClient } from '../../client/client.ts'
import type { CallableOperation } from '../../client/request.ts'
import { DEFAULT_SANDBOX } from '../../domain/sandboxes.ts'
import { UsageError } from '../errors/usage-error.ts'
import type { FlagValues } from '../parse/params.ts'
import { readServiceStatus } from './service-status.ts'

const LOGINS: CallableOperation = { method: 'POST', path: '/dashboard/logins' }

/** Functions that return the address of a page of the server, by the word that `paycli open` takes. */
export const SERVER_PAGES: ReadonlyMap<string, (flags: FlagValues) => Promise<string>> = new Map([
  ['docs', readReferenceUrl],
  ['dashboard', createDashboardUrl],
])

async function readReferenceUrl(flags: FlagValues): Promise<string> {
  const { api_url } = await readServiceStatus(flags, process.env)
  return `${api_url}/docs`
}

// The address signs one browser in, so creating it needs the key of the server, not that of a sandbox.
async function createDashboardUrl(flags: FlagValues): Promise<string> {
  const { sandbox } = await readServiceStatus(flags, process.env)
  const { api_url, api_key } = await readServiceStatus({ ...flags, sandbox: DEFAULT_SANDBOX }, process.env)
  const client = createClient({ apiBase: api_url, apiKey: api_key ?? undefined })
  const login = await client.send(LOGINS, {}).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 404) throw noDashboardError(api_url)
    throw error
  })
  const url = String(Reflect.get(login, 'url'))
  return sandbox === undefined ? url : `${url}&sandbox=${sandbox}`
}

function noDashboardError(apiUrl: string): UsageError {
  return new UsageError('dashboard_missing', `The server at ${apiUrl} has no dashboard.`, {
    hint: 'Start it with paycli serve --dashboard.',
  })
}
