import type { Context } from 'koa'
import { DomainError } from '../../domain/core/domain-error.ts'
import type { DashboardSession } from '../../domain/sandboxes/dashboard-sessions.ts'
import type { OpenSandbox } from '../sandboxes/open-sandbox.ts'
import type { AuthenticatedBrowser } from './dashboard-sessions.ts'
import { deleteSessionCookie, type SignInOptions } from './dashboard-sign-in.ts'

/** A session in the list of the dashboard. */
export interface DashboardSessionView
  extends Pick<DashboardSession, 'id' | 'object' | 'created' | 'expires_at' | 'browser'> {
  /** The API key that signed the browser in. */
  readonly api_key: { readonly id: string; readonly name: string | null }
  /** Whether the request belongs to this session. */
  readonly is_current: boolean
}

/** A route of the dashboard below the path of a sandbox. */
export interface DashboardRoute {
  readonly method: string
  readonly path: string
  readonly handle: (ctx: Context, user: AuthenticatedBrowser, sandbox: OpenSandbox) => Promise<void> | void
}

/** Creates the routes that list the sessions of a sandbox, end a session, and sign out. */
export function createDashboardSessionRoutes(options: SignInOptions): DashboardRoute[] {
  const { sessions } = options
  return [
    {
      method: 'GET',
      path: '/sessions',
      async handle(ctx, user, sandbox) {
        const all = await sessions.list(sandbox)
        ctx.body = {
          object: 'list',
          data: await Promise.all(all.map((session) => viewSession(sandbox, session, user))),
        }
      },
    },
    {
      method: 'POST',
      path: '/sessions/:id/end',
      async handle(ctx, user, sandbox) {
        const own = user.session.id
        const { id = '' } = ctx.params
        const ended = id === CURRENT ? own : id
        const isEnded = await sessions.end(id === CURRENT ? user.sandbox : sandbox, ended)
        if (!isEnded) throw new DomainError('resource_missing', `No such session: '${id}'.`, { param: 'id' })
        if (ended === own) deleteSessionCookie(ctx, options)
        ctx.body = { id: ended, object: 'dashboard_session', deleted: true }
      },
    },
  ]
}

/** The id that stands for the session of the request. */
const CURRENT = 'current'

async function viewSession(
  { runtime }: OpenSandbox,
  { id, object, created, expires_at, browser, api_key }: DashboardSession,
  user: AuthenticatedBrowser,
): Promise<DashboardSessionView> {
  const { name = null } = (await runtime.store.get('api_keys', api_key)) ?? {}
  const is_current = id === user.session.id
  return { id, object, created, expires_at, browser, api_key: { id: api_key, name }, is_current }
}
