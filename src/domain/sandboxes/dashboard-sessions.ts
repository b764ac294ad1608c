/** Internal record: a browser that is signed in to the dashboard, stored in the sandbox of the API key of the sign-in. */
export interface DashboardSession {
  readonly id: string
  readonly object: 'dashboard_session'
  /** The sign-in time in Unix seconds of real time. */
  readonly created: number
  readonly expires_at: number
  /** The id of the API key that signed the browser in. The session is invalid as soon as this key is invalid. */
  readonly api_key: string
  /** The digest of the secret in the cookie. */
  readonly secret_digest: string
  /** The name of the browser, such as `Firefox on Linux`. */
  readonly browser: string
}

const BROWSERS = [
  ['Edge', /\bEdg/],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /(?:Chrome|CriOS)\//],
  ['Safari', /\bSafari\//],
] as const

const SYSTEMS = [
  ['Android', /\bAndroid\b/],
  ['iOS', /\b(?:iPhone|iPad)\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMacintosh\b/],
  ['Linux', /\bLinux\b/],
] as const

/** Returns the name of a browser and its operating system, from the `User-Agent` header. */
export function formatBrowserName(userAgent: string): string {
  const nameIn = (names: typeof BROWSERS | typeof SYSTEMS) =>
    names.find(([, pattern]) => pattern.test(userAgent))?.[0]
  const system = nameIn(SYSTEMS)
  return `${nameIn(BROWSERS) ?? 'Unknown browser'}${system === undefined ? '' : ` on ${system}`}`
}
