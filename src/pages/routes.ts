import { drainDeadlines } from '../engine/real-time.ts'
import { postSession, showAttempt, showDone, showSession } from './checkout/session-visits.ts'
import { withChosenCard, withDrawer } from './devtools/devtools.ts'
import { loadHappenings } from './devtools/event-log.ts'
import { findSession } from './forms/form-targets.ts'
import { readQuery, showAgain, type Visit } from './forms/handlers.ts'
import { file, type PageAnswer, type PageRequest, type Pages, page } from './forms/http.ts'
import { postInvoice, showInvoice } from './invoice/invoice-visits.ts'
import { chooseLanguage } from './languages/language.ts'
import { clockAnswer } from './status/clock-pages.ts'
import { failurePage, notFoundPage, wrongMethodPage } from './status/closed-pages.ts'
import { postChallenge, showChallenge, showConfirmed } from './three-d-secure/three-d-secure-visits.ts'
import { findAsset } from './view/assets.ts'
import { type AnySession, createLinks, type Links } from './view/links.ts'
import type { View } from './view/view.ts'

export type { PageAnswer, PageRequest, Pages } from './forms/http.ts'

type Serve = (visit: Visit, parts: readonly string[]) => Promise<PageAnswer>
type ServeSession = (visit: Visit, session: AnySession, part: string) => Promise<PageAnswer>

interface Route {
  readonly path: RegExp
  readonly GET: Serve
  readonly POST?: Serve
}

const ROUTES: readonly Route[] = [
  ...sessionRoutes('checkout', 'checkout_session'),
  ...sessionRoutes('sessions', 'payment_session'),
  {
    path: /^\/3ds\/(\w+)$/,
    GET: withObject(showChallenge),
    POST: withObject(postChallenge),
  },
  { path: /^\/3ds\/(\w+)\/done$/, GET: withObject(showConfirmed) },
  {
    path: /^\/invoices\/(\w+)$/,
    GET: withObject(showInvoice),
    POST: withObject(postInvoice),
  },
  { path: /^\/assets\/([\w.-]+)$/, GET: serveAsset },
]

function sessionRoutes(folder: string, object: AnySession['object']): Route[] {
  const on = (serve: ServeSession): Serve => withSession(object, serve)
  return [
    { path: new RegExp(`^/${folder}/(\\w+)$`), GET: on(showSession), POST: on(postSession) },
    { path: new RegExp(`^/${folder}/(\\w+)/done$`), GET: on(showDone) },
    { path: new RegExp(`^/${folder}/(\\w+)/attempts/([\\w-]+)$`), GET: on(showAttempt) },
  ]
}

function withSession(object: AnySession['object'], serve: ServeSession): Serve {
  return async (visit, [id = '', part = '']) => {
    const session = await findSession(visit.pages.runtime.store, object, id)
    if (session === null) return page(404, notFoundPage(visit.view))
    return forDeveloper(visit, id, await serve(visit, session, part))
  }
}

function withObject(serve: (visit: Visit, id: string) => Promise<PageAnswer>): Serve {
  return async (visit, [id = '']) => {
    const answer = await serve(visit, id)
    return answer.status === 404 ? answer : forDeveloper(visit, id, answer)
  }
}

/** Answers one request to the hosted pages. GET changes nothing but what time had made due. */
export async function servePage(request: PageRequest, pages: Pages): Promise<PageAnswer> {
  const links = createLinks(pages.runtime.checkoutUrl)
  const language = chooseLanguage(request.acceptLanguage)
  const view: View = { links, language, business: pages.businessName }
  return inLanguage(await answer(request, pages, view), view)
}

async function answer(request: PageRequest, pages: Pages, view: View): Promise<PageAnswer> {
  const { route, parts, own } = findRoute(request.path, view.links)
  if (route === undefined) return page(404, notFoundPage(view))
  const method = request.method === 'HEAD' ? 'GET' : request.method
  const serve = method === 'GET' || method === 'POST' ? route[method] : undefined
  if (serve === undefined) return page(405, wrongMethodPage(view), { Allow: allowed(route) })
  for (const { error } of await drainDeadlines(pages.runtime)) pages.onError(error)
  const visit = visitOf(request, { pages, view, here: view.links.base + own })
  try {
    return await serve(visit, parts)
  } catch (error) {
    return afterClock(error, visit, method === 'POST')
  }
}

/** What a test clock that does not stand still lets no form do, nor anything else; any other error is thrown on. */
async function afterClock(error: unknown, visit: Visit, isPosted: boolean): Promise<PageAnswer> {
  const { here, view, resumed } = visit
  const isSubmitted = isPosted || resumed?.reason.why === 'unused'
  const calm = clockAnswer(error, { here, isSubmitted }, view)
  if (calm === null) throw error
  return isPosted ? showAgain(visit, { reason: { why: 'unused' } }, async () => calm) : calm
}

function visitOf(
  { form, accept, query = '' }: PageRequest,
  { pages, view, here }: Pick<Visit, 'pages' | 'view' | 'here'>,
): Visit {
  const posted = form ?? {}
  const { isDrawerOpen, resumed } = readQuery(query, { pages, here })
  return {
    pages,
    view,
    here,
    form: pages.isLocal ? withChosenCard(posted) : posted,
    wantsHtml: accept?.includes('text/html') ?? true,
    isDrawerOpen: isDrawerOpen || 'test_card' in posted,
    resumed,
  }
}

/** Adds what only the developer on this machine sees. */
async function forDeveloper(visit: Visit, id: string, answer: PageAnswer): Promise<PageAnswer> {
  const { pages, view, here, isDrawerOpen } = visit
  if (!pages.isLocal || answer.body === '') return answer
  const happenings = await loadHappenings(pages.runtime.store, id)
  return withDrawer(answer, { id, path: here, isOpen: isDrawerOpen, happenings }, view.language)
}

/** The page for a request that failed outside of `servePage`, by HTTP status; in English unless a language is asked for. */
export function renderFailure(
  status: number,
  { businessName }: Pick<Pages, 'businessName'>,
  acceptLanguage?: string,
): PageAnswer {
  const language = chooseLanguage(acceptLanguage)
  const view: View = { links: createLinks('http://localhost'), language, business: businessName }
  return inLanguage(page(status, failurePage(status, view)), view)
}

function inLanguage(answer: PageAnswer, { language }: View): PageAnswer {
  if (answer.headers['Vary'] === undefined) return answer
  return { ...answer, headers: { ...answer.headers, 'Content-Language': language.tag } }
}

function findRoute(path: string, { base }: Links) {
  const own = path.startsWith(`${base}/`) ? path.slice(base.length) : path
  for (const route of ROUTES) {
    const match = route.path.exec(own)
    if (match !== null) return { route, parts: match.slice(1), own }
  }
  return { route: undefined, parts: [], own }
}

/** Whether a path is a file that pages load. */
export function isAsset(path: string, { runtime }: Pages): boolean {
  const { route, parts } = findRoute(path, createLinks(runtime.checkoutUrl))
  return route?.GET === serveAsset && findAsset(parts[0] ?? '') !== undefined
}

function allowed({ POST }: Route): string {
  return POST === undefined ? 'GET, HEAD' : 'GET, HEAD, POST'
}

async function serveAsset({ view }: Visit, [name = '']: readonly string[]): Promise<PageAnswer> {
  const asset = findAsset(name)
  return asset === undefined ? page(404, notFoundPage(view)) : file(asset.type, asset.body)
}
