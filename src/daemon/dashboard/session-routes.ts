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

/** Registers the handler of a path below the path of a sandbox. */
export type RegisterDashboardRoute = (
  method: string,
  path: string,
  handle: (ctx: Context, user: AuthenticatedBrowser, sandbox: OpenSandbox) => Promise<void> | void,
) => void

/** Registers the routes that list the sessions of a sandbox, end a session, and sign out. */
export function registerSessionRoutes(register: RegisterDashboardRoute, options: SignInOptions): void {
  const { sessions } = options
  register('GET', '/sessions', async (ctx, user, sandbox) => {
    const all = await sessions.list(sandbox)
    const data = await Promise.all(all.map((session) => viewSession(sandbox, session, user)))
    ctx.body = { object: 'list', data }
  })
  register('POST', '/sessions/:id/end', async (ctx, user, sandbox) => {
    const own = user.session.id
    const { id = '' } = ctx.params
    const ended = id === CURRENT ? own : id
    const isEnded = await sessions.end(id === CURRENT ? user.sandbox : sandbox, ended)
    if (!isEnded) throw new DomainError('resource_missing', `No such session: '${id}'.`, { param: 'id' })
    if (ended === own) deleteSessionCookie(ctx, options)
    ctx.body = { id: ended, object: 'dashboard_session', deleted: true }
  })
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
