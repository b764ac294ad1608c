import type { CompletableSession, HostedSession } from '../domain/completion/hosted-session.ts'
import type { PortalSession } from '../domain/sessions/portal-sessions.ts'
import { SESSION_PREFIXES_AND_PATHS } from '../domain/sessions/sessions.ts'
import { COMPLETABLE_SESSION_OBJECTS, findCompletableSession, findSession } from '../engine/find-session.ts'
import { runDueJobs } from '../engine/real-time-jobs.ts'
import { getLogoFileName, LOGO_FILE_PATTERN } from './brand/logo-file.ts'
import { postPromotionCode } from './checkout/promotion-code-handler.ts'
import {
  showSession,
  showSessionResult,
  showSubmissionOutcome,
  submitSessionForm,
} from './checkout/session-handlers.ts'
import { postWalletDecision, showWallet } from './checkout/wallet-handlers.ts'
import type { TransactionReader } from './forms/form-submission.ts'
import { listKeptParams, type PageContext, parsePageQuery, redisplayForm } from './forms/page-context.ts'
import {
  createLogoResponse,
  type PageRequest,
  type PageResponse,
  type PagesOptions,
} from './forms/page-response.ts'
import { postInvoice, showInvoice } from './invoice/invoice-handlers.ts'
import { isSupportedLanguage, negotiateLanguage } from './languages/language.ts'
import {
  postCancel,
  postCancellationUndo,
  postCardReplacement,
  postPlanChange,
  showCancel,
  showPlanChange,
  showPortal,
} from './portal/portal-handlers.ts'
import { showReceiptPdf } from './receipt/show-receipt-pdf.ts'
import { createClockErrorResponse } from './status/clock-pages.ts'
import { createErrorPageResponse, createExpiredResponse } from './status/status-pages.ts'
import { fillInTestCard, loadTestBarContent } from './test-bar/test-bar-content.ts'
import {
  postChallenge,
  showChallenge,
  showThreeDSecureResult,
} from './three-d-secure/three-d-secure-handlers.ts'
import { createPageLinks, LANGUAGE_PARAM } from './view/links.ts'
import type { PageView } from './view/page-view.ts'
import { createSessionPageView } from './view/session-view.ts'

export type { PageRequest, PageResponse, PagesOptions } from './forms/page-response.ts'

/** The captured segments of the path, and the session of the page, or null. */
interface RouteMatch {
  readonly parts: readonly string[]
  readonly session: HostedSession | null
}

type RouteHandler = (context: PageContext, match: RouteMatch) => Promise<PageResponse>
type SessionHandler = (
  context: PageContext,
  session: CompletableSession,
  part: string,
) => Promise<PageResponse>

interface RouteHandlers {
  readonly GET: RouteHandler
  readonly POST?: RouteHandler
  readonly heading?: PageView['heading']
}

/** A hosted page: its path, its handlers by method, and its session. */
interface PageRoute extends RouteHandlers {
  readonly path: RegExp
  /** Finds the session of a page by the first captured segment of the path. */
  readonly findSession: (reader: TransactionReader, id: string) => Promise<HostedSession | null>
}

/** The path of the logo of a session, below the path of the session. */
const LOGO_PART = `/logo/(${LOGO_FILE_PATTERN.source})`

/** The routes of the hosted pages. */
export const PAGE_ROUTES: readonly PageRoute[] = [
  {
    path: new RegExp(`^/brand/(${LOGO_FILE_PATTERN.source})$`),
    findSession: async () => null,
    GET: async ({ pages, view }, { parts }) => showLogo(pages.brand.logo, parts[0], view),
  },
  ...COMPLETABLE_SESSION_OBJECTS.flatMap(sessionRoutes),
  portalRoute('', { GET: withPortal(showPortal), POST: withPortal(postCardReplacement) }),
  portalRoute('/subscriptions/(\\w+)/change(?:/(\\w+)/(\\d{1,6}))?', {
    GET: withPortal(showPlanChange),
    POST: withPortal(postPlanChange),
  }),
  portalRoute('/subscriptions/(\\w+)/cancel', { GET: withPortal(showCancel), POST: withPortal(postCancel) }),
  portalRoute('/subscriptions/(\\w+)/resume', {
    GET: withPortal(showPortal),
    POST: withPortal(postCancellationUndo),
  }),
  portalRoute(LOGO_PART, { GET: showSessionLogo }),
  originRoute(/^\/3ds\/(\w+)$/, { GET: withObject(showChallenge), POST: withObject(postChallenge) }),
  originRoute(/^\/3ds\/(\w+)\/done$/, { GET: withObject(showThreeDSecureResult) }),
  originRoute(/^\/3ds\/(\w+)\/receipt\.pdf$/, { GET: asPdf(withObject(showThreeDSecureResult)) }),
  originRoute(/^\/invoices\/(\w+)\/receipt\.pdf$/, { GET: asPdf(withObject(showInvoice)) }),
  originRoute(/^\/invoices\/(\w+)$/, {
    heading: 'invoice',
    GET: withObject(showInvoice),
    POST: withObject(postInvoice),
  }),
]

function sessionRoutes(object: CompletableSession['object']): PageRoute[] {
  const route = (part: string, handlers: RouteHandlers): PageRoute => ({
    path: new RegExp(`^/${SESSION_PREFIXES_AND_PATHS[object].folder}/(\\w+)${part}$`),
    findSession: (reader, id) => findSession(reader, object, id),
    heading: object === 'card_session' ? 'card' : undefined,
    ...handlers,
  })
  const submit: SessionHandler = (context, session) => submitSessionForm(context, session)
  return [
    route('', { GET: withSession(showSession), POST: withSession(submit) }),
    route('/done', { GET: withSession(showSessionResult) }),
    route('/receipt\\.pdf', { GET: asPdf(withSession(showSessionResult)) }),
    route('/attempts/([\\w-]+)', { GET: withSession(showSubmissionOutcome) }),
    route('/promotion_code', { GET: withSession(showSession), POST: withSession(postPromotionCode) }),
    route('/wallet', { GET: withSession(showWallet), POST: withSession(postWalletDecision) }),
    route(LOGO_PART, { GET: showSessionLogo }),
  ]
}

function portalRoute(part: string, handlers: RouteHandlers): PageRoute {
  return {
    path: new RegExp(`^/${SESSION_PREFIXES_AND_PATHS.portal_session.folder}/(\\w+)${part}$`),
    findSession: (reader, id) => reader.get('portal_sessions', id),
    heading: 'portal',
    ...handlers,
  }
}

/**
 * Returns the handler of a page of an open portal session. For an expired session, the handler returns a page about the
 * expired link.
 */
function withPortal(
  serve: (context: PageContext, session: PortalSession, ...parts: string[]) => Promise<PageResponse>,
): RouteHandler {
  return async (context, { parts: [id = '', ...parts], session }) => {
    if (session?.object !== 'portal_session') return createErrorPageResponse(404, context.view)
    if (session.status === 'expired') return createExpiredResponse(session, context.view)
    return serve(await withTestBar(context, id, session), session, ...parts)
  }
}

function originRoute(path: RegExp, handlers: RouteHandlers): PageRoute {
  return { path, findSession: findOriginSession, ...handlers }
}

/** Returns the session with an id, or the session that created a payment or an invoice's subscription; else null. */
async function findOriginSession(reader: TransactionReader, id: string): Promise<CompletableSession | null> {
  const payment = await reader.get('payments', id)
  const session = payment?.payment_session ?? payment?.checkout_session
  if (session) return findCompletableSession(reader, session)
  const invoice = await reader.get('invoices', payment?.invoice ?? id)
  if (invoice === null) return findCompletableSession(reader, id)
  const subscription = await reader.get('subscriptions', invoice.subscription ?? '')
  return subscription && reader.get('checkout_sessions', subscription.checkout_session)
}

function withSession(serve: SessionHandler): RouteHandler {
  return async (context, { parts: [id = '', part = ''], session }) => {
    if (session === null || session.object === 'portal_session')
      return createErrorPageResponse(404, context.view)
    return serve(await withTestBar(context, id, session), session, part)
  }
}

function withObject(serve: (context: PageContext, id: string) => Promise<PageResponse>): RouteHandler {
  return async (context, { parts: [id = ''], session }) => serve(await withTestBar(context, id, session), id)
}

/** Returns the handler of the PDF of a page with a receipt. */
function asPdf(show: RouteHandler): RouteHandler {
  return (context, match) => showReceiptPdf(context, (shown) => show(shown, match))
}

async function showSessionLogo({ view }: PageContext, { session, parts }: RouteMatch): Promise<PageResponse> {
  return showLogo(session?.branding?.logo, parts[1], view)
}

function showLogo(url: string | null | undefined, file: string | undefined, view: PageView): PageResponse {
  return url && getLogoFileName(url) === file ? createLogoResponse(url) : createErrorPageResponse(404, view)
}

/** Handles a request to the hosted pages. A GET request changes nothing except by running due jobs. */
export async function handlePageRequest(request: PageRequest, pages: PagesOptions): Promise<PageResponse> {
  const view = createView(request, pages)
  const { base } = view.links
  const path = request.path.startsWith(`${base}/`) ? request.path.slice(base.length) : request.path
  const found = findRoute(path)
  if (found === null) return createErrorPageResponse(404, view)
  const { route, parts } = found
  const method = request.method === 'HEAD' ? 'GET' : request.method
  const serve = method === 'GET' || method === 'POST' ? route[method] : undefined
  const allow = route.POST === undefined ? 'GET, HEAD' : 'GET, HEAD, POST'
  if (serve === undefined) return createErrorPageResponse(405, view, { Allow: allow })
  for (const { error } of await runDueJobs(pages.runtime)) pages.onError(error)
  const session = await route.findSession(pages.runtime.store, parts[0] ?? '')
  const context = createContext(request, {
    ...{ pages, path: base + path },
    view: {
      ...(session === null ? view : createSessionPageView(view, session)),
      heading: route.heading,
      // The first two segments of each page path identify the object.
      receiptPdf: view.links.page(`${base}${path.split('/', 3).join('/')}/receipt.pdf`),
    },
  })
  try {
    return await serve(context, { parts, session })
  } catch (error) {
    return handleClockError(error, context, method === 'POST')
  }
}

function createView(
  { query, acceptLanguage }: Pick<PageRequest, 'query' | 'acceptLanguage'>,
  { runtime, brand: { name, color, logo } }: PagesOptions,
): PageView {
  const params = new URLSearchParams(query)
  const chosen = params.get(LANGUAGE_PARAM)
  const links = createPageLinks(runtime.checkoutUrl, isSupportedLanguage(chosen) ? chosen : null)
  const language = negotiateLanguage(acceptLanguage, links.chosenLanguage)
  return {
    ...{ links, language, acceptLanguage, keptParams: listKeptParams(params) },
    brand: {
      name,
      color: color ?? null,
      logo: logo === undefined ? null : links.logo(getLogoFileName(logo)),
    },
  }
}

/** Returns the page for a test clock that is not ready. Rethrows any other error. */
async function handleClockError(
  error: unknown,
  context: PageContext,
  isPosted: boolean,
): Promise<PageResponse> {
  const { view, resumed } = context
  const path = view.links.page(context.path)
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
  const params = new URLSearchParams(query)
  const { isTestBarOpen, resumed } = parsePageQuery(params, { pages, path })
  return {
    pages,
    view,
    path,
    form: pages.isLocal ? fillInTestCard(posted) : posted,
    wantsHtml: accept?.includes('text/html') ?? true,
    query: params,
    isTestBarOpen: isTestBarOpen || 'test_card' in posted,
    resumed,
  }
}

/** Adds the test bar when only this machine can open the page. */
async function withTestBar(
  context: PageContext,
  id: string,
  session: HostedSession | null,
): Promise<PageContext> {
  if (!context.pages.isLocal) return context
  return { ...context, view: { ...context.view, testBar: await loadTestBarContent(context, id, session) } }
}

/** Returns the error page for a request that failed outside of `handlePageRequest`. The language defaults to English. */
export function createUnhandledErrorResponse(
  status: number,
  pages: PagesOptions,
  request: Pick<PageRequest, 'query' | 'acceptLanguage'> = {},
): PageResponse {
  return createErrorPageResponse(status, createView(request, pages))
}

function findRoute(path: string): { readonly route: PageRoute; readonly parts: readonly string[] } | null {
  for (const route of PAGE_ROUTES) {
    const match = route.path.exec(path)
    if (match !== null) return { route, parts: match.slice(1) }
  }
  return null
}
