import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import Router from '@koa/router'
import { operations } from '../../../src/api/api.ts'
import { apiKeys } from '../../../src/api/operations/api-keys.ts'
import { customers } from '../../../src/api/operations/customers.ts'
import { PAGE_ROUTES } from '../../../src/pages/routes.ts'
import { openDaemon, type TestDaemon } from '../../support/daemon.ts'
import { createLogin, NAVIGATION, signIn } from '../../support/dashboard.ts'
import { ROOT } from '../../support/root.ts'
import { assert, suite } from '../../support/suite.ts'
import { createKeyedSandbox, type KeyedSandbox, SCENES } from '../dashboard/dashboard-requests.ts'
import {
  ACCESS_TABLE,
  type Access,
  CREDENTIAL_NAMES,
  type CredentialName,
  GROUP_NAMES,
  type RouteGroup,
  renderAccessTable,
} from './access-table.ts'

const test = suite('daemon/http/routing access', undefined, 60_000)

type Headers = Readonly<Record<string, string>>

/** The routes that the routers of a daemon register, such as `GET /healthz`. */
const registered = new Set<string>()

/** The group of each registered route that is not an API operation. A route that no group matches fails the test. */
const GROUPS: readonly (readonly [RouteGroup, RegExp])[] = [
  [
    'public',
    /^GET \/(?:docs(?:\/(?:api\/:page|guides\/:page|search|errors|commands\.txt))?|llms\.txt|openapi\.json|healthz|readyz|)$/,
  ],
  ['public', /^GET \/dashboard\/assets\/dashboard\.(?:js|css)$/],
  ['streams', /^(?:GET \/v1\/stream(?:\/request_logs)?|POST \/v1\/stream\/(?:results|leave))$/],
  ['logins', /^POST \/dashboard\/logins$/],
  [
    'defaultData',
    /^(?:GET|POST) \/dashboard\/:sandbox\/(?:v1|request_bodies|scenes|fixtures|grade|sessions)(?:\/|$)/,
  ],
]

/** Requests for paths that no router has. */
const UNROUTED: Readonly<Record<'screens' | 'unknown', readonly string[]>> = {
  screens: [
    'GET /dashboard',
    'GET /dashboard/payments',
    'GET /dashboard/objects/cus_1',
    'HEAD /dashboard/sessions',
  ],
  unknown: [
    'GET /metrics',
    'GET /states',
    'GET /files',
    'GET /v1/states',
    'POST /v1/nothing',
    'GET /dashboard/default/v1/api_keys',
    'POST /dashboard/default/states',
    'POST /dashboard',
  ],
}

let daemon: TestDaemon
let sandbox: KeyedSandbox
let another: KeyedSandbox
let credentials: Readonly<Record<CredentialName, Headers>>
/** The number of events by sandbox, which the first message of a stream contains. */
let sequences: Readonly<Record<string, number>>
/** The status of each hosted page without a credential. */
const pages: (readonly [route: string, { readonly base: string; readonly status: number }])[] = []

test.before(async () => {
  const { register } = Router.prototype
  Router.prototype.register = function (this: Router, path, methods, ...rest) {
    for (const method of methods) registered.add(`${method.toUpperCase()} ${String(path)}`)
    return Reflect.apply(register, this, [path, methods, ...rest])
  }
  try {
    // Each request has its own X-Forwarded-For, because requests without a credential are limited by address.
    daemon = await openDaemon({ createScenes: () => SCENES, isProxyTrusted: true })
  } finally {
    Router.prototype.register = register
  }
  sandbox = await createKeyedSandbox(daemon, 'sandbox')
  another = await createKeyedSandbox(daemon, 'another')
  for (const [at, count] of [
    [daemon, 1],
    [sandbox.client, 2],
    [another.client, 3],
  ] as const)
    for (let n = 0; n < count; n += 1) await at.call(customers.create, { email: 'ada@example.com' })
  sequences = { default: 1, [sandbox.id]: 2, [another.id]: 3 }
  credentials = await createCredentials()
  const { checkout_url } = daemon.location
  for (const base of [checkout_url, `${checkout_url}/${sandbox.id}`])
    for (const { path } of PAGE_ROUTES)
      for (const method of ['GET', 'POST']) {
        const route = `${method} ${samplePath(path)}`
        pages.push([route, { base, status: (await send(base, route, {})).status }])
      }
})

test.after(() => daemon?.stop())

const SCOPES = ['events:read', 'request_logs:read', 'webhook_endpoints:write']

async function createCredentials(): Promise<Record<CredentialName, Headers>> {
  const keyOf = async (
    at: Pick<TestDaemon, 'call'>,
    fields: { scopes?: string[]; expires_at?: number } = {},
  ) => at.call(apiKeys.create, { name: 'test', ...fields })
  const bearer = (secret: string) => ({ Authorization: `Bearer ${secret}` })
  const restricted = async (at: Pick<TestDaemon, 'call'>, scopes: string[]) =>
    bearer((await keyOf(at, { scopes })).secret)
  const session = async (key: string) => (await signIn(daemon, await createLogin(daemon, key))).headers
  const [revoked, expired] = [
    await keyOf(daemon),
    await keyOf(daemon, { expires_at: daemon.clock.now() + 60 }),
  ]
  const ended = await session(revoked.secret)
  await daemon.call(apiKeys.revoke, { id: revoked.id })
  daemon.clock.move(60)
  const ownSession = await session(daemon.location.api_key)
  return {
    'no credential': {},
    'unknown key': bearer(`paysk_test_${'x'.repeat(32)}`),
    'revoked key': bearer(revoked.secret),
    'expired key': bearer(expired.secret),
    'secret key of `default`': bearer(daemon.location.api_key),
    'restricted key of `default` with the scope': await restricted(daemon, SCOPES),
    'restricted key of `default` without the scope': await restricted(daemon, ['customers:read']),
    'secret key of the sandbox': bearer(sandbox.key),
    'restricted key of the sandbox with the scope': await restricted(sandbox.client, SCOPES),
    'restricted key of the sandbox without the scope': await restricted(sandbox.client, ['customers:read']),
    'secret key of another sandbox': bearer(another.key),
    'session of `default`': ownSession,
    'session of the sandbox': await session(sandbox.key),
    'session of another sandbox': await session(another.key),
    'session of a revoked key': ended,
    'session of `default`, request of another page': { ...ownSession, 'Sec-Fetch-Site': 'cross-site' },
  }
}

/** Returns the sandbox of a credential. */
function sandboxOf(name: CredentialName): string {
  if (name.includes('the sandbox')) return sandbox.id
  return name.includes('another sandbox') ? another.id : 'default'
}

/** Returns a path that matches the pattern of a hosted page. */
function samplePath(pattern: RegExp): string {
  const path = pattern.source
    .slice(1, -1)
    .replaceAll('\\/', '/')
    .replace(/\((?:\?:)?\\w\+\)/, 'sample')
    .replace('([\\w-]+)', 'sample')
    .replace(/\(.*\)/, `${'a'.repeat(64)}.svg`)
  return path
}

interface Reply {
  readonly status: number
  readonly location: string
  readonly text: string
}

let sent = 0

/** Sends a request, and resolves with the first part of its response, because streams do not end. */
function send(base: string, route: string, headers: Headers): Promise<Reply> {
  const [method = '', path = ''] = route.split(' ')
  sent += 1
  const address = `10.0.${Math.floor(sent / 250)}.${(sent % 250) + 1}`
  const body = method === 'POST' ? { 'Content-Type': 'application/json' } : {}
  return new Promise((resolve, reject) => {
    const all = { ...headers, ...body, 'X-Forwarded-For': address }
    const outgoing = request(`${base}${path}`, { method, headers: all, agent: false }, (response) => {
      let text = ''
      const { statusCode: status = 0, headers: received } = response
      const end = () => {
        if (!response.complete) outgoing.destroy()
        resolve({ status, location: received.location ?? '', text })
      }
      response.setEncoding('utf8').on('end', end)
      const isStream = received['content-type']?.startsWith('text/event-stream')
      response.on('data', (chunk: string) => {
        text += chunk
        if (isStream && text.includes('event: ready')) end()
      })
    })
    outgoing.on('error', reject)
    outgoing.end(method === 'POST' ? '{}' : '')
  })
}

function toAccess(route: string, { status, text }: Reply): Access {
  assert.ok(status < 500 && status !== 429, `${route}: ${status}`)
  if (status === 401 || status === 403) return `${status}`
  const isUnrouted = status >= 400 && /route_not_found|method_not_allowed/.test(text)
  return isUnrouted ? '404' : 'yes'
}

function groupOf(route: string): RouteGroup | undefined {
  return GROUPS.find(([, pattern]) => pattern.test(route))?.[0]
}

/** Returns the routes of a group, with their parameters filled in. */
function routesOf(group: RouteGroup): readonly string[] {
  if (group === 'screens' || group === 'unknown') return UNROUTED[group]
  const isInSandbox = group === 'sandboxData' || group === 'sandboxList'
  const at = isInSandbox ? sandbox.id : 'default'
  const found = [...registered].filter((route) => groupOf(route) === (isInSandbox ? 'defaultData' : group))
  const isList = (route: string) => route.includes('/v1/sandboxes')
  return found
    .filter((route) => !isInSandbox || isList(route) === (group === 'sandboxList'))
    .map((route) =>
      route
        .replace('api/:page', 'api/refunds')
        .replace(':page', 'test-cards')
        .replace(':sandbox', at)
        .replace(':id', 'sample_1')
        .replace(':type', 'customer.created'),
    )
}

test('the table has a group for each route that is not an API operation', () => {
  const ofApi = new Set(operations.map(({ operation: { method, path } }) => `${method} ${path}`))
  const others = [...registered].filter((route) => !ofApi.has(route) && !route.startsWith('HEAD '))
  assert.ok(others.length > 40)
  assert.equal(
    others.filter((route) => groupOf(route) === undefined),
    [],
  )
  for (const group of GROUP_NAMES) assert.ok(routesOf(group).length > 0, group)
})

test('the security guide contains the table of access by credential and route', () => {
  const guide = readFileSync(join(ROOT, '.github', 'guides', 'security.md'), 'utf8')
  assert.ok(guide.includes(renderAccessTable()), renderAccessTable())
})

for (const name of CREDENTIAL_NAMES) {
  for (const [index, group] of GROUP_NAMES.entries()) {
    const access = ACCESS_TABLE[name][index]
    test(`${name} gets ${access} from ${group}`, async () => {
      const { api_url } = daemon.location
      const navigation = group === 'screens' ? NAVIGATION : {}
      for (const route of routesOf(group)) {
        const reply = await send(api_url, route, { ...navigation, ...credentials[name] })
        const expected = access === 'own' ? 'yes' : access
        assert.is(toAccess(route, reply), expected, `${route}: ${reply.status} ${reply.text.slice(0, 300)}`)
        if (access === 'own') await requireOwn(route, reply, sandboxOf(name))
      }
    })
  }

  test(`hosted pages do not depend on ${name}`, async () => {
    for (const [route, { base, status }] of pages) {
      const isForeign = name.includes('another page') && route.includes('POST')
      const reply = await send(base, route, credentials[name])
      assert.is(reply.status, isForeign ? 403 : status, `${base} ${route}`)
    }
  })
}

/** Throws unless the response contains data of the sandbox with this id. */
async function requireOwn(route: string, { text, location }: Reply, own: string): Promise<void> {
  if (route === 'GET /v1/stream') assert.match(text, `"sequence":${sequences[own]},`)
  if (route === 'POST /dashboard/logins') {
    const { cookie } = await signIn(daemon, JSON.parse(text).url)
    assert.match(cookie, `=${own}.`)
  }
  if (route.includes(' /dashboard') && route.startsWith('GET')) assert.match(location, `?sandbox=${own}`)
}

test.run()
