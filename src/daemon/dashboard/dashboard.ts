import Router from '@koa/router'
import type { Context, Middleware } from 'koa'
import type { ApiKey } from '../../domain/api-keys.ts'
import { DomainError } from '../../domain/domain-error.ts'
import type { OperationResponder } from '../http/api-app.ts'
import { createCachedDocument, type StaticDocument } from '../http/cached-document.ts'
import { createBodyReader } from '../http/request-body.ts'
import type { KoaRoute } from '../http/routing.ts'
import type { SandboxRegistry } from '../sandboxes/sandbox-registry.ts'
import { DASHBOARD_OPERATIONS } from './dashboard-operations.ts'
import { ASSETS_PATH, dashboardAsset, dashboardPage, signedInPage, signInPage } from './dashboard-pages.ts'
import { type DashboardSession, type DashboardSessions, isSameText } from './dashboard-sessions.ts'

/** Puts the application into a state, for the screen "Scenes". */
export interface SceneRunner {
  /** Lists the scenes: the triggers of `paycli trigger`. */
  readonly list: () => Promise<readonly object[]>
  /** Runs a scene in a sandbox; resolves with the objects and events that it created. */
  readonly run: (type: string, sandbox: string) => Promise<object>
  /** Runs the steps of a fixture file, given as parsed JSON, in a sandbox; resolves with each step's path and id. */
  readonly runFixtures: (file: unknown, sandbox: string) => Promise<object>
}

export interface DashboardOptions {
  readonly sessions: DashboardSessions
  readonly sandboxes: Pick<SandboxRegistry, 'opened' | 'find'>
  readonly scenes: SceneRunner
  /** Whether browsers reach the dashboard over HTTPS only. */
  readonly isSecure: boolean
  /** The port of the API, part of the cookie's name: browsers send cookies to every port of a host. */
  readonly port: number
  /** The routes of streams. */
  readonly streams: readonly KoaRoute[]
}

const ROOT = '/dashboard'
/** The parent path of operations in a sandbox: `default` or the id of another one. */
const SANDBOX_PATH = `${ROOT}/:sandbox`
const API_PATH = /^\/dashboard\/[^/]+\/(?:v1|scenes|fixtures)(?:\/|$)/

/** Stands for a signed-in browser where streams expect a key. Restricted, so that no stream contains the webhook secret. */
const STREAM_KEY: ApiKey = {
  id: 'dashboard',
  object: 'api_key',
  created: 0,
  livemode: false,
  name: null,
  kind: 'restricted',
  last4: '',
  scopes: ['events:read', 'request_logs:read'],
  status: 'active',
  expires_at: null,
  last_used_at: null,
}

/** Creates the route with which a secret API key signs a browser in: it returns an address to open once. */
export function createLoginRoute({ createLogin }: DashboardSessions, apiUrl: string): KoaRoute {
  return {
    method: 'POST',
    path: `${ROOT}/logins`,
    // No restricted key has this scope.
    scope: 'dashboard:write',
    handle(ctx) {
      ctx.body = { object: 'dashboard_login', url: loginUrl(apiUrl, createLogin()) }
    },
  }
}

/** Returns the address that signs one browser in. */
export function loginUrl(apiUrl: string, token: string): string {
  return `${apiUrl}${ROOT}?login=${token}`
}

/**
 * Creates the middleware of the dashboard: its page, its files, and the operations and streams that its screens use. Instead
 * of an API key, requests have the cookie of a signed-in browser, so that no script ever sees a key.
 */
export function createDashboard(options: DashboardOptions, respond: OperationResponder): Middleware {
  const router = new Router({ strict: true, sensitive: true })
  const readBody = createBodyReader()
  for (const file of ['dashboard.js', 'dashboard.css'] as const)
    router.get(
      `${ASSETS_PATH}/${file}`,
      createCachedDocument(() => dashboardAsset(file)),
    )

  const register = (method: string, path: string, handle: (ctx: Context) => Promise<void> | void) => {
    router.register(`${SANDBOX_PATH}${path}`, [method], async (ctx: Context) => {
      requireScript(ctx, readSession(ctx, options))
      ctx.state.isDashboard = true
      await inSandbox(ctx, options, async () => {
        if (method === 'POST') await readBody(ctx)
        await handle(ctx)
      })
    })
  }
  for (const operation of DASHBOARD_OPERATIONS)
    register(operation.method, operation.path, (ctx) => respond(ctx, operation))
  for (const { method, path, handle } of options.streams.filter((route) => route.method === 'GET'))
    register(method, path, (ctx) => {
      ctx.state.apiKey = STREAM_KEY
      return handle(ctx)
    })
  register('GET', '/scenes', async (ctx) => {
    ctx.body = { object: 'list', data: await options.scenes.list() }
  })
  register('POST', '/scenes/:type/run', async (ctx) => {
    const { type = '', sandbox = '' } = ctx.params
    ctx.body = await options.scenes.run(type, sandbox)
  })
  register('POST', '/fixtures/run', async (ctx) => {
    const { sandbox = '' } = ctx.params
    ctx.body = await options.scenes.runFixtures(ctx.request.body, sandbox)
  })
  const serve = router.routes()
  const showPage = createPageHandler(options)
  return (ctx, next) => {
    if (ctx.path !== ROOT && !ctx.path.startsWith(`${ROOT}/`)) return next()
    // The screens read much; the log is for the requests of the application.
    ctx.state.isQuiet = true
    return serve(ctx as never, async () => {
      if (API_PATH.test(ctx.path) || ctx.path.startsWith(ASSETS_PATH) || !isRead(ctx)) return next()
      showPage(ctx)
    })
  }
}

function isRead({ method }: Context): boolean {
  return method === 'GET' || method === 'HEAD'
}

// Every path below /dashboard is a screen of the same page.
function createPageHandler(options: DashboardOptions): (ctx: Context) => void {
  const { sessions, isSecure } = options
  return (ctx) => {
    const { login } = ctx.query
    const signedIn = typeof login === 'string' ? sessions.signIn(login) : null
    if (signedIn !== null) {
      const expires = new Date(signedIn.expiresAt * 1000)
      const cookie = { path: ROOT, httpOnly: true, sameSite: 'strict', secure: isSecure, expires } as const
      // The proxy speaks HTTPS, and plain HTTP to this server, for which Koa would refuse a secure cookie.
      ctx.cookies.secure = isSecure
      ctx.cookies.set(cookieName(options), signedIn.cookie, cookie)
      send(ctx, 200, signedInPage(screenPath(ctx.query.sandbox)))
      return
    }
    const session = readSession(ctx, options)
    if (session === null) send(ctx, 401, signInPage())
    else send(ctx, 200, dashboardPage(session.csrfToken))
  }
}

// The sandbox that `paycli open dashboard --sandbox` selected.
function screenPath(sandbox: unknown): string {
  return typeof sandbox === 'string' && /^sbx_\w+$/.test(sandbox) ? `${ROOT}?sandbox=${sandbox}` : ROOT
}

function send(ctx: Context, status: number, { headers, body }: StaticDocument): void {
  ctx.status = status
  ctx.set(headers)
  ctx.body = body
}

function cookieName({ port }: Pick<DashboardOptions, 'port'>): string {
  return `paycli_dashboard_${port}`
}

function readSession(
  ctx: Context,
  options: Pick<DashboardOptions, 'sessions' | 'port'>,
): DashboardSession | null {
  return options.sessions.read(ctx.cookies.get(cookieName(options)))
}

/** Throws unless the dashboard's own script sent the request. */
function requireScript(ctx: Context, session: DashboardSession | null): void {
  const isOwnOrigin = ctx.get('Sec-Fetch-Site') === 'same-origin'
  if (session === null) {
    throw new DomainError(
      'api_key_missing',
      'This browser is not signed in to the dashboard, or its session has ended. Run paycli open dashboard.',
    )
  }
  if (isOwnOrigin && isSameText(ctx.get('Paycli-Csrf-Token'), session.csrfToken)) return
  throw new DomainError(
    'host_not_allowed',
    'Only the dashboard itself may send this request. Call the API at /v1 with an API key instead.',
  )
}

async function inSandbox(
  ctx: Context,
  { sandboxes }: Pick<DashboardOptions, 'sandboxes'>,
  serve: () => Promise<void>,
): Promise<void> {
  const { sandbox: id = '' } = ctx.params
  const sandbox = sandboxes.opened(id) ?? (await sandboxes.find(id))
  ctx.state.sandbox = sandbox
  sandbox.requests.enter()
  try {
    await serve()
  } finally {
    sandbox.requests.leave()
  }
}
