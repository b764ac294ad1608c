import { drainDeadlines } from '../engine/deadlines.ts'
import { findAsset } from './assets.ts'
import { clockAnswer } from './clock-pages.ts'
import { failurePage, notFoundPage, wrongMethodPage } from './closed-pages.ts'
import { file, type PageAnswer, type PageRequest, type Pages, page } from './exchange.ts'
import { postInvoice, showInvoice } from './invoice-visits.ts'
import { chooseLanguage } from './language.ts'
import { type AnySession, createLinks, type Links } from './links.ts'
import { postSession, showAttempt, showDone, showSession, type Visit } from './session-visits.ts'
import { findSession } from './subjects.ts'
import { postChallenge, showChallenge, showConfirmed } from './three-d-secure-visits.ts'
import type { View } from './view.ts'

export type { PageAnswer, PageRequest, Pages } from './exchange.ts'

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
    GET: (visit, [target = '']) => showChallenge(visit, target),
    POST: (visit, [target = '']) => postChallenge(visit, target),
  },
  { path: /^\/3ds\/(\w+)\/done$/, GET: (visit, [target = '']) => showConfirmed(visit, target) },
  {
    path: /^\/invoices\/(\w+)$/,
    GET: (visit, [id = '']) => showInvoice(visit, id),
    POST: (visit, [id = '']) => postInvoice(visit, id),
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
    return session === null ? page(404, notFoundPage(visit.view)) : serve(visit, session, part)
  }
}

/** Answers one request to the hosted pages. GET changes nothing but what time had made due. */
export async function servePage(request: PageRequest, pages: Pages): Promise<PageAnswer> {
  const links = createLinks(pages.runtime.checkoutUrl)
  const view: View = { links, language: chooseLanguage(request.acceptLanguage) }
  return inLanguage(await answer(request, pages, view), view)
}

async function answer(request: PageRequest, pages: Pages, view: View): Promise<PageAnswer> {
  const { route, parts, own } = findRoute(request.path, view.links)
  if (route === undefined) return page(404, notFoundPage(view))
  const method = request.method === 'HEAD' ? 'GET' : request.method
  const serve = method === 'GET' || method === 'POST' ? route[method] : undefined
  if (serve === undefined) return page(405, wrongMethodPage(view), { Allow: allowed(route) })
  for (const { error } of await drainDeadlines(pages.runtime)) pages.onError(error)
  const { form, accept } = request
  const visit = { pages, view, form: form ?? {}, wantsHtml: accept?.includes('text/html') ?? true }
  try {
    return await serve(visit, parts)
  } catch (error) {
    const here = view.links.base + own
    const calm = clockAnswer(error, { here, isSubmitted: method === 'POST' }, view)
    if (calm === null) throw error
    return calm
  }
}

/** The page for a request that failed outside of `servePage`, by HTTP status; in English unless a language is asked for. */
export function renderFailure(status: number, acceptLanguage?: string): PageAnswer {
  const view: View = { links: createLinks('http://localhost'), language: chooseLanguage(acceptLanguage) }
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

function allowed({ POST }: Route): string {
  return POST === undefined ? 'GET, HEAD' : 'GET, HEAD, POST'
}

async function serveAsset({ view }: Visit, [name = '']: readonly string[]): Promise<PageAnswer> {
  const asset = findAsset(name)
  return asset === undefined ? page(404, notFoundPage(view)) : file(asset.type, asset.body)
}
