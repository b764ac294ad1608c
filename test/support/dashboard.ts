import type { TestDaemon } from './daemon.ts'
import { sendRequest } from './raw-http.ts'

/** The headers with which a browser opens an address. */
export const NAVIGATION = {
  'Sec-Fetch-Mode': 'navigate',
  'Sec-Fetch-Dest': 'document',
  'Sec-Fetch-Site': 'none',
  'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:141.0) Gecko/20100101 Firefox/141.0',
} as const

/** A browser that is signed in to the dashboard. */
export interface SignedInBrowser {
  readonly cookie: string
  /** The headers of a request by the script of the dashboard. */
  readonly headers: Readonly<Record<string, string>>
}

/** Creates a one-time address with an API key. */
export async function createLogin({ location }: TestDaemon, key = location.api_key): Promise<string> {
  const { text } = await sendRequest(`${location.api_url}/dashboard/logins`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: '{}',
  })
  return JSON.parse(text).url
}

/** Signs in to the dashboard as a browser does (default: with the address that the server printed). */
export async function signIn(
  daemon: TestDaemon,
  url = daemon.newDashboardUrl?.() ?? '',
): Promise<SignedInBrowser> {
  const { headers, text: opening } = await sendRequest(url, { headers: NAVIGATION })
  const cookie = headers['set-cookie']?.split(';')[0] ?? ''
  const [, path = ''] = /href="([^"]+)"/.exec(opening) ?? []
  const { text } = await sendRequest(`${daemon.location.api_url}${path}`, {
    headers: { ...NAVIGATION, Cookie: cookie },
  })
  const [, token = ''] = /csrf-token" content="([^"]+)"/.exec(text) ?? []
  return {
    cookie,
    headers: { Cookie: cookie, 'Paycli-Csrf-Token': token, 'Sec-Fetch-Site': 'same-origin' },
  }
}
