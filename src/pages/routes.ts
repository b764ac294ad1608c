import type { AnySession } from '../domain/any-session.ts'
import { brandingOf } from '../domain/branding.ts'
import { findSession } from '../engine/find-session.ts'
import { runDueJobs } from '../engine/real-time.ts'
import { LOGO_FILE, logoFileName } from './brand/logo-file.ts'
import { postSession, showAttempt, showDone, showSession } from './checkout/session-handlers.ts'
import { loadOriginView } from './forms/origin-view.ts'
import { type PageContext, readQuery, redisplayForm } from './forms/page-context.ts'
import {
  logoResponse,
  type PageRequest,
  type PageResponse,
  type PagesOptions,
} from './forms/page-response.ts'
import { postInvoice, showInvoice } from './invoice/invoice-handlers.ts'
import { type Language, negotiateLanguage } from './languages/language.ts'
import { createClockErrorResponse } from './status/clock-pages.ts'
import { failureResponse } from './status/status-pages.ts'
import { applyTestCard, loadDevtools } from './test-bar/devtools.ts'
import {
  postChallenge,
  showChallenge,
  showConfirmationResult,
} from './three-d-secure/three-d-secure-handlers.ts'
import { createLinks, type Links, SESSION_FOLDERS } from './view/links.ts'
import type { PageView } from './view/page-view.ts'
import { sessionView } from './view/session-view.ts'

export type { PageRequest, PageResponse, PagesOptions } from './forms/page-response.ts'

type RouteHandler = (context: PageContext, parts: readonly string[]) => Promise<PageResponse>
type SessionHandler = (context: PageContext, session: AnySession, part: string) => Promise<PageResponse>

interface PageRoute {
  readonly path: RegExp
  readonly GET: RouteHandler
  readonly POST?: RouteHandler
}

const ROUTES: readonly PageRoute[] = [
  { path: new RegExp(`^/brand/(${LOGO_FILE.source})$`), GET: showServerLogo },
  ...sessionRoutes('checkout_session'),
  ...sessionRoutes('payment_session'),
  ...sessionRoutes('card_session'),
  { path: /^\/3ds\/(\w+)$/, GET: withObject(showChallenge), POST: withObject(postChallenge) },
  { path: /^\/3ds\/(\w+)\/done$/, GET: withObject(showConfirmationResult) },
  { path: /^\/invoices\/(\w+)$/, GET: withObject(showInvoice), POST: withObject(postInvoice) },
]

function sessionRoutes(object: AnySession['object']): PageRoute[] {
  const folder = SESSION_FOLDERS[object]
  const on = (serve: SessionHandler): RouteHandler => withSession(object, serve)
  return [
    { path: new RegExp(`^/${folder}/(\\w+)$`), GET: on(showSession), POST: on(postSession) },
    { path: new RegExp(`^/${folder}/(\\w+)/done$`), GET: on(showDone) },
    { path: new RegExp(`^/${folder}/(\\w+)/attempts/([\\w-]+)$`), GET: on(showAttempt) },
    { path: new RegExp(`^/${folder}/(\\w+)/logo/(${LOGO_FILE.source})$`), GET: withLogo(object) },
  ]
}

function withSession(object: AnySession['object'], serve: SessionHandler): RouteHandler {
  return async (context, [id = '', part = '']) => {
    const session = await findSession(context.pages.runtime.store, object, id)
    if (session === null) return failureResponse(404, context.view)
    const branded = { ...context, view: sessionView(context.view, session) }
    return serve(await withDevtools(branded, id), session, part)
  }
}

function withObject(serve: (context: PageContext, id: string) => Promise<PageResponse>): RouteHandler {
  return async (context, [id = '']) => {
    const { pages, view } = context
    const branded = { ...context, view: await loadOriginView(pages.runtime.store, id, view) }
    return serve(await withDevtools(branded, id), id)
  }
}

async function showServerLogo(
  { pages, view }: PageContext,
  [file]: readonly string[],
): Promise<PageResponse> {
  return showLogo(pages.brand.logo, file, view)
}

function withLogo(object: AnySession['object']): RouteHandler {
  return async ({ pages, view }, [id = '', file]) => {
    const session = await findSession(pages.runtime.store, object, id)
    return showLogo(session && brandingOf(session)?.logo, file, view)
  }
}

function showLogo(url: string | null | undefined, file: string | undefined, view: PageView): PageResponse {
  return url && logoFileName(url) === file ? logoResponse(url) : failureResponse(404, view)
}

/** Handles a request to the hosted pages. A GET request changes nothing except by running due jobs. */
export async function servePage(request: PageRequest, pages: PagesOptions): Promise<PageResponse> {
  const links = createLinks(pages.runtime.checkoutUrl)
  const language = negotiateLanguage(request.acceptLanguage)
  const view = createView(pages, links, language)
  return handleRequest(request, pages, view)
}

async function handleRequest(
  request: PageRequest,
  pages: PagesOptions,
  view: PageView,
): Promise<PageResponse> {
  const { route, parts, pagePath } = findRoute(request.path, view.links)
  if (route === undefined) return failureResponse(404, view)
  const method = request.method === 'HEAD' ? 'GET' : request.method
  const serve = method === 'GET' || method === 'POST' ? route[method] : undefined
  if (serve === undefined) return failureResponse(405, view, { Allow: allowedMethods(route) })
  for (const { error } of await runDueJobs(pages.runtime)) pages.onError(error)
  const context = createContext(request, { pages, view, path: view.links.base + pagePath })
  try {
    return await serve(context, parts)
  } catch (error) {
    return handleClockError(error, context, method === 'POST')
  }
}

/** Returns the page for a test clock that is not ready. Throws any other error again. */
async function handleClockError(
  error: unknown,
  context: PageContext,
  isPosted: boolean,
): Promise<PageResponse> {
  const { path, view, resumed } = context
  const isSubmitted = isPosted || resumed?.reason.why === 'unused'
  const page = createClockErrorResponse(error, { path, isSubmitted }, view)
  if (page === null) throw error
  return isPosted ? redisplayForm(context, { reason: { why: 'unused' } }, async () => page) : page
}

function createContext(
  { form, accept, query = '' }: PageRequest,
  { pages, view, path }: Pick<PageContext, 'pages' | 'view' | 'path'>,
): PageContext {
  const posted = form ?? {}
  const { isTestBarOpen, resumed } = readQuery(query, { pages, path })
  return {
    pages,
    view,
    path,
    form: pages.isLocal ? applyTestCard(posted) : posted,
    wantsHtml: accept?.includes('text/html') ?? true,
    isTestBarOpen: isTestBarOpen || 'test_card' in posted,
    resumed,
  }
}

/** Adds the developer tools when only this machine can open the page. */
async function withDevtools(context: PageContext, id: string): Promise<PageContext> {
  if (!context.pages.isLocal) return context
  return { ...context, view: { ...context.view, devtools: await loadDevtools(context, id) } }
}

/** Returns the error page for a request that failed outside of `servePage`. The language defaults to English. */
export function renderFailure(
  status: number,
  pages: Pick<PagesOptions, 'brand'> & Partial<Pick<PagesOptions, 'runtime'>>,
  acceptLanguage?: string,
): PageResponse {
  const language = negotiateLanguage(acceptLanguage)
  const links = createLinks(pages.runtime?.checkoutUrl ?? 'http://localhost')
  return failureResponse(status, createView(pages, links, language))
}

function createView(
  { brand: { name, color, logo } }: Pick<PagesOptions, 'brand'>,
  links: Links,
  language: Language,
): PageView {
  return {
    links,
    language,
    brand: { name, color: color ?? null, logo: logo === undefined ? null : links.logo(logoFileName(logo)) },
  }
}

function findRoute(path: string, { base }: Links) {
  const pagePath = path.startsWith(`${base}/`) ? path.slice(base.length) : path
  for (const route of ROUTES) {
    const match = route.path.exec(pagePath)
    if (match !== null) return { route, parts: match.slice(1), pagePath }
  }
  return { route: undefined, parts: [], pagePath }
}

function allowedMethods({ POST }: PageRoute): string {
  return POST === undefined ? 'GET, HEAD' : 'GET, HEAD, POST'
}
