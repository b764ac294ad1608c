/** The groups of routes other than the API operations, which are the columns of the table. */
export const ROUTE_GROUPS = {
  public: 'reference, health, `/llms.txt`, assets, hosted pages',
  streams: '`/v1/stream…`',
  logins: '`POST /dashboard/logins`',
  screens: 'screens at `/dashboard…`',
  defaultData: '`/dashboard/default/…`',
  sandboxData: '`/dashboard/<sandbox>/…`',
  sandboxList: '`/dashboard/<sandbox>/v1/sandboxes…`',
  unknown: 'any other path',
} as const

export type RouteGroup = keyof typeof ROUTE_GROUPS

/** `own` is a response with data of the credential's sandbox only, `yes` one with data of any sandbox or of none. */
export type Access = 'yes' | 'own' | '401' | '403' | '404'

type Row = readonly [...access: readonly Access[]]

const NOTHING: Row = ['yes', '401', '401', '401', '401', '401', '401', '404']

/** The access of each credential to each group of routes, in the order of the groups. */
export const ACCESS_TABLE = {
  'no credential': NOTHING,
  'unknown key': NOTHING,
  'revoked key': NOTHING,
  'expired key': NOTHING,
  'secret key of `default`': ['yes', 'own', 'own', '401', '401', '401', '401', '404'],
  'restricted key of `default` with the scope': ['yes', 'own', '403', '401', '401', '401', '401', '404'],
  'restricted key of `default` without the scope': ['yes', '403', '403', '401', '401', '401', '401', '404'],
  'secret key of the sandbox': ['yes', 'own', 'own', '401', '401', '401', '401', '404'],
  'restricted key of the sandbox with the scope': ['yes', 'own', '403', '401', '401', '401', '401', '404'],
  'restricted key of the sandbox without the scope': ['yes', '403', '403', '401', '401', '401', '401', '404'],
  'secret key of another sandbox': ['yes', 'own', 'own', '401', '401', '401', '401', '404'],
  'session of `default`': ['yes', '401', '401', 'yes', 'yes', 'yes', '403', '404'],
  'session of the sandbox': ['yes', '401', '401', 'own', '403', 'yes', '403', '404'],
  'session of another sandbox': ['yes', '401', '401', 'own', '403', '403', '403', '404'],
  'session of a revoked key': NOTHING,
  'session of `default`, request of another page': ['yes', '401', '401', 'yes', '403', '403', '403', '404'],
} as const satisfies Readonly<Record<string, Row>>

export type CredentialName = keyof typeof ACCESS_TABLE

/** The groups of routes, in the order of the table. */
export const GROUP_NAMES = Object.keys(ROUTE_GROUPS) as readonly RouteGroup[]

/** The credentials, in the order of the table. */
export const CREDENTIAL_NAMES = Object.keys(ACCESS_TABLE) as readonly CredentialName[]

/** Returns the table in Markdown, as the guide contains it. */
export function renderAccessTable(): string {
  const header = ['credential', ...GROUP_NAMES.map((name) => ROUTE_GROUPS[name])]
  const rows = CREDENTIAL_NAMES.map((name) => [name, ...ACCESS_TABLE[name]])
  return [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
