import type { Context } from 'koa'
import { DEFAULT_SANDBOX } from '../../domain/sandboxes/sandboxes.ts'
import type { StaticDocument } from '../http/document-handler.ts'
import type { KoaRoute } from '../http/routing.ts'
import {
  createDashboardPage,
  createLoginConfirmationPage,
  createSignInHelpPage,
  createSignInSuccessPage,
} from './dashboard-pages.ts'
import type { AuthenticatedBrowser, DashboardSessions } from './dashboard-sessions.ts'

/** The path of the dashboard. */
export const DASHBOARD_PATH = '/dashboard'

export interface SignInOptions {
  readonly sessions: DashboardSessions
  /** Whether browsers reach the dashboard over HTTPS only. */
  readonly isSecure: boolean
  /** The port of the API, part of the cookie's name: browsers send cookies to every port of a host. */
  readonly port: number
}

/**
 * Creates the route with which a secret API key signs a browser in to its sandbox: the route returns a one-time URL.
 * With a key of the default sandbox, the browser can open every sandbox.
 */
export function createLoginRoute({ createLogin }: DashboardSessions, apiUrl: string): KoaRoute {
  return {
    method: 'POST',
    path: `${DASHBOARD_PATH}/logins`,
    // No restricted key has the scope `dashboard:write`.
    scope: 'dashboard:write',
    handle(ctx) {
      const { sandbox, apiKey } = ctx.state
      if (sandbox === undefined || apiKey === undefined) throw new Error('the route of logins has no scope')
      ctx.body = { object: 'dashboard_login', url: getLoginUrl(apiUrl, createLogin(sandbox.id, apiKey.id)) }
    },
  }
}

/** Returns the address that signs one browser in. */
export function getLoginUrl(apiUrl: string, token: string): string {
  return `${apiUrl}${DASHBOARD_PATH}?login=${token}`
}

const LOGIN_TOKEN = /^[0-9A-Za-z]{24}$/

/** Creates the function that responds with the page of a screen, and signs in a browser that opens a one-time URL. */
export function createPageHandler(options: SignInOptions): (ctx: Context) => Promise<void> {
  return async (ctx) => {
    const { login } = ctx.query
    if (typeof login === 'string' && LOGIN_TOKEN.test(login)) {
      // The page links to the address, so that a user can still open it after a preview or a link of another site.
      if (!isNavigation(ctx)) return send(ctx, 200, createLoginConfirmationPage(selectSandbox(ctx, {})))
      if (await signIn(ctx, login, options)) return
    }
    const user = await findAuthenticatedBrowser(ctx, options)
    if (user === null) return send(ctx, 401, createSignInHelpPage())
    const url = selectSandbox(ctx, { user })
    if (url !== ctx.url) ctx.redirect(url)
    else send(ctx, 200, createDashboardPage(user.csrfToken, user.sandbox.id))
  }
}

async function signIn(ctx: Context, login: string, options: SignInOptions): Promise<boolean> {
  const user = await options.sessions.signIn(login, ctx.get('User-Agent'))
  if (user === null) return false
  setCookie(ctx, options, { value: user.cookie, expiresAt: user.session.expires_at })
  send(ctx, 200, createSignInSuccessPage(selectSandbox(ctx, { user, isSignedIn: true })))
  return true
}

/** Links of other sites could sign the browser in to the sandbox of an attacker, so the user must click to confirm. */
const OWN_SITES = ['none', 'same-origin']
const PREFETCH_HEADERS = ['Sec-Purpose', 'Purpose', 'X-Purpose', 'X-Moz']

/**
 * Returns whether the user opened the URL, not a program or a link on another site. Link previews, virus scanners and
 * browsers that preload a page must not use up the one-time URL. They send a `HEAD` request, no `Sec-Fetch` headers or
 * a purpose header. Every browser that can use the dashboard sends `Sec-Fetch` headers.
 */
function isNavigation(ctx: Context): boolean {
  return (
    ctx.method === 'GET' &&
    ctx.get('Sec-Fetch-Mode') === 'navigate' &&
    ctx.get('Sec-Fetch-Dest') === 'document' &&
    OWN_SITES.includes(ctx.get('Sec-Fetch-Site')) &&
    PREFETCH_HEADERS.every((name) => ctx.get(name) === '')
  )
}

const SANDBOX_ID = /^sbx_[0-9A-Za-z]{24}$/

interface SelectSandboxOptions {
  /** The signed-in user (default: no user). */
  readonly user?: AuthenticatedBrowser
  /** Whether this request signed the browser in, so that the login token is removed from the URL. */
  readonly isSignedIn?: boolean
}

/** Returns the URL of the request, with a `sandbox` that the user may open; removes a malformed value. */
function selectSandbox(ctx: Context, { user, isSignedIn = false }: SelectSandboxOptions): string {
  const query = new URLSearchParams(ctx.querystring)
  const own = user?.sandbox.id ?? DEFAULT_SANDBOX
  const selected = own === DEFAULT_SANDBOX ? query.get('sandbox') : own
  const isKnown = selected !== null && SANDBOX_ID.test(selected)
  if (isSignedIn) query.delete('login')
  const given = query.getAll('sandbox')
  if (!isSignedIn && (isKnown ? given.join() === selected : given.length === 0)) return ctx.url
  query.delete('sandbox')
  if (isKnown) query.set('sandbox', selected)
  return query.size === 0 ? ctx.path : `${ctx.path}?${query}`
}

/** Resolves with the user that the cookie of a request identifies, or null. */
export async function findAuthenticatedBrowser(
  ctx: Context,
  options: Pick<SignInOptions, 'sessions' | 'port'>,
): Promise<AuthenticatedBrowser | null> {
  return options.sessions.read(ctx.cookies.get(cookieName(options)))
}

/** Deletes the cookie of a browser that signs out. */
export function deleteSessionCookie(ctx: Context, options: SignInOptions): void {
  setCookie(ctx, options, { value: '', expiresAt: 0 })
}

function setCookie(
  ctx: Context,
  options: SignInOptions,
  { value, expiresAt }: { readonly value: string; readonly expiresAt: number },
): void {
  const { isSecure } = options
  const expires = new Date(expiresAt * 1000)
  // Behind a proxy that terminates TLS, this server receives plain HTTP, for which Koa would reject a secure cookie.
  ctx.cookies.secure = isSecure
  ctx.cookies.set(cookieName(options), value, {
    ...{ path: DASHBOARD_PATH, httpOnly: true, sameSite: 'strict', secure: isSecure, expires },
  })
}

function cookieName({ port }: Pick<SignInOptions, 'port'>): string {
  return `paycli_dashboard_${port}`
}

function send(ctx: Context, status: number, { headers, body }: StaticDocument): void {
  ctx.status = status
  ctx.set(headers)
  ctx.body = body
}
