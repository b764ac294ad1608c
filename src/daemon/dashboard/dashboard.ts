import Router from '@koa/router'
import type { Context, Middleware } from 'koa'
import { DomainError } from '../../domain/core/domain-error.ts'
import type { ApiKey } from '../../domain/sandboxes/api-keys.ts'
import { DEFAULT_SANDBOX } from '../../domain/sandboxes/sandboxes.ts'
import type { OperationResponder } from '../http/api-app.ts'
import { createDocumentHandler } from '../http/document-handler.ts'
import { createBodyReader } from '../http/request-body.ts'
import type { KoaRoute } from '../http/routing.ts'
import type { OpenSandbox } from '../sandboxes/open-sandbox.ts'
import type { StreamCredential } from '../streams/stream-connection.ts'
import { DASHBOARD_OPERATIONS, rejectExtraParams } from './dashboard-operations.ts'
import { ASSETS_PATH, getDashboardAsset } from './dashboard-pages.ts'
import {
  type AuthenticatedBrowser,
  type DashboardSessions,
  isEqualInConstantTime,
} from './dashboard-sessions.ts'
import {
  createPageHandler,
  DASHBOARD_PATH,
  findAuthenticatedBrowser,
  type SignInOptions,
} from './dashboard-sign-in.ts'
import { type RegisterDashboardRoute, registerSessionRoutes } from './session-routes.ts'

/** Runs scenes and fixtures, which create objects and events, for the screen "Scenes". */
export interface SceneRunner {
  /** Lists the scenes: the triggers of `paycli trigger`. */
  readonly list: () => Promise<readonly object[]>
  /** Runs a scene in a sandbox; resolves with the objects and events that it created. */
  readonly run: (type: string, sandbox: string) => Promise<object>
  /** Runs the steps of a fixture file, given as parsed JSON, in a sandbox; resolves with each step's path and id. */
  readonly runFixtures: (file: unknown, sandbox: string) => Promise<object>
}

/** The last report of `paycli grade`: null without a report, and if `problem` describes why the file cannot be read. */
export interface LastGrade {
  readonly data: unknown
  readonly problem: string | null
}

export interface DashboardOptions extends SignInOptions {
  readonly scenes: SceneRunner
  readonly readGrade: () => Promise<LastGrade>
  /** The routes of streams. */
  readonly streams: readonly KoaRoute[]
}

/** The parent path of the operations in a sandbox; `:sandbox` is `default` or the id of another sandbox. */
const SANDBOX_PATH = `${DASHBOARD_PATH}/:sandbox`
const DASHBOARD_PREFIX = /^\/dashboard\/[^/]+/
const API_PATH = /^\/dashboard\/[^/]+\/(?:v1|request_bodies|scenes|fixtures|grade|sessions)(?:\/|$)/

const NO_GRADE: LastGrade = { data: null, problem: null }

/** The API key of a signed-in browser. The key is restricted, so that no stream contains the webhook secret. */
const BROWSER_KEY: ApiKey = {
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

/**
 * Creates the middleware of the dashboard: its page, its files, and the operations and streams that its screens use.
 * Requests contain the cookie of a signed-in browser instead of an API key, so that no script can read a key.
 */
export function createDashboardMiddleware(
  options: DashboardOptions,
  respond: OperationResponder,
): Middleware {
  const router = new Router({ strict: true, sensitive: true })
  const readBody = createBodyReader()
  for (const file of ['dashboard.js', 'dashboard.css'] as const)
    router.get(
      `${ASSETS_PATH}/${file}`,
      createDocumentHandler(() => getDashboardAsset(file)),
    )

  const register: RegisterDashboardRoute = (method, path, handle) => {
    router.register(`${SANDBOX_PATH}${path}`, [method], async (ctx: Context) => {
      const user = requireScript(ctx, await findAuthenticatedBrowser(ctx, options))
      requireOwnSandbox(ctx, user)
      const sandbox = await requireSandbox(ctx, options)
      ctx.state.sandbox = sandbox
      await sandbox.requests.during(async () => {
        if (method === 'POST') await readBody(ctx)
        await handle(ctx, user, sandbox)
      })
    })
  }
  for (const allowed of DASHBOARD_OPERATIONS) {
    const { operation } = allowed
    register(operation.method, operation.path, (ctx, user) => {
      rejectExtraParams(ctx.request.body, allowed)
      if (allowed.isChange) logChange(ctx, user)
      return respond(ctx, operation)
    })
  }
  for (const { method, path, handle } of options.streams.filter((route) => route.method === 'GET'))
    register(method, path, (ctx, user) => {
      ctx.state.apiKey = BROWSER_KEY
      ctx.state.streamCredential = credentialOf(user, options.sessions)
      return handle(ctx)
    })
  registerSessionRoutes(register, options)
  register('GET', '/request_bodies', (ctx, _user, sandbox) => {
    ctx.body = { object: 'list', data: sandbox.bodies?.find(String(ctx.query['object_id'])) ?? [] }
  })
  register('GET', '/request_bodies/:id', (ctx, _user, sandbox) => {
    const { id = '' } = ctx.params
    ctx.body = { object: 'request_bodies', data: sandbox.bodies?.read(id) ?? null }
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
  register('GET', '/grade', async (ctx, user) => {
    // The report contains output of an app on this machine, which belongs to no other sandbox.
    const isAllowed = user.sandbox.id === DEFAULT_SANDBOX
    ctx.body = { object: 'grade_report', ...(isAllowed ? await options.readGrade() : NO_GRADE) }
  })
  const serve = router.routes()
  const showPage = createPageHandler(options)
  return (ctx, next) => {
    if (ctx.path !== DASHBOARD_PATH && !ctx.path.startsWith(`${DASHBOARD_PATH}/`)) return next()
    // The many requests of the screens would hide the requests of the application in the log.
    ctx.state.isQuiet = true
    return serve(ctx as never, async () => {
      if (API_PATH.test(ctx.path) || ctx.path.startsWith(ASSETS_PATH) || !isRead(ctx)) return next()
      await showPage(ctx)
    })
  }
}

// The events of a change refer to its request, so log the request under the key that signed the browser in.
function logChange(ctx: Context, { session: { api_key } }: AuthenticatedBrowser): void {
  ctx.state.loggedPath = ctx.path.replace(DASHBOARD_PREFIX, '')
  ctx.state.apiKey = { ...BROWSER_KEY, id: api_key }
  ctx.state.idempotencyScope = api_key
}

function isRead({ method }: Context): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** Returns the user of a request; throws unless the dashboard's own script sent it. */
function requireScript(ctx: Context, user: AuthenticatedBrowser | null): AuthenticatedBrowser {
  if (user === null) {
    throw new DomainError(
      'api_key_missing',
      'This browser is not signed in to the dashboard, or its session has ended. Run paycli open dashboard.',
    )
  }
  const isOwnOrigin = ctx.get('Sec-Fetch-Site') === 'same-origin'
  if (isOwnOrigin && isEqualInConstantTime(ctx.get('Paycli-Csrf-Token'), user.csrfToken)) return user
  throw new DomainError(
    'host_not_allowed',
    'Only the dashboard itself may send this request. Call the API at /v1 with an API key instead.',
  )
}

// An API key of a sandbox opens only that sandbox, and so does a session that the key created.
function requireOwnSandbox({ params }: Context, { sandbox: { id } }: AuthenticatedBrowser): void {
  if (id === DEFAULT_SANDBOX || id === params.sandbox) return
  throw new DomainError(
    'sandbox_key_not_allowed',
    `This browser is signed in to the sandbox '${id}' only. To open another one, run paycli open dashboard with its key.`,
  )
}

function credentialOf(
  { sandbox, session }: AuthenticatedBrowser,
  sessions: DashboardSessions,
): StreamCredential {
  return {
    id: session.id,
    findEnd: async () => ((await sessions.isActive(sandbox, session.id)) ? null : 'session_ended'),
  }
}

async function requireSandbox({ params }: Context, { sessions }: SignInOptions): Promise<OpenSandbox> {
  const sandbox = await sessions.findSandbox(params.sandbox ?? '')
  if (sandbox !== null) return sandbox
  const message = 'No such sandbox: it was deleted, it has expired, or it never existed.'
  throw new DomainError('resource_missing', message, { param: 'id' })
}
