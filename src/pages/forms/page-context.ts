import type { PageView } from '../view/page-view.ts'
import { createFormToken, digestOffer, type FormTokenClaims, verifyFormToken } from './form-token.ts'
import { getRedisplayStatus } from './notices.ts'
import { type PageResponse, type PagesOptions, redirectSeeOther } from './page-response.ts'
import { getFormField, type PostedForm } from './posted-form.ts'
import { decryptRedisplayedForm, encryptRedisplayedForm, type RedisplayedForm } from './redisplayed-form.ts'

/** A request to a page, with the dependencies of every page. */
export interface PageContext {
  readonly pages: PagesOptions
  readonly view: PageView
  readonly form: PostedForm
  readonly wantsHtml: boolean
  readonly query: URLSearchParams
  /** The path of the request. */
  readonly path: string
  readonly isTestBarOpen: boolean
  /** The submitted form to show again, or null. */
  readonly resumed: RedisplayedForm | null
  /** The error status of the page with a form that is shown again; absent when the page was requested with GET. */
  readonly status?: number
}

/** The query parameter that opens the test bar. */
export const TEST_BAR_PARAM = 'developer'

const RESUMED_FORM = 'again'

/** Reads the query parameters of a page. */
export function parsePageQuery(
  params: URLSearchParams,
  { pages, path }: Pick<PageContext, 'pages' | 'path'>,
): Pick<PageContext, 'isTestBarOpen' | 'resumed'> {
  const now = pages.runtime.wallNow()
  return {
    isTestBarOpen: params.has(TEST_BAR_PARAM),
    resumed: decryptRedisplayedForm(params.get(RESUMED_FORM), { path, now }, pages.formKey),
  }
}

/** Returns the names and values of the query parameters that remain when the customer chooses another language. */
export function listKeptParams(params: URLSearchParams): (readonly [name: string, value: string])[] {
  return [...params].filter(([name]) => name === TEST_BAR_PARAM || name === RESUMED_FORM)
}

/** Returns a new form token for a session, an invoice or a 3-D Secure page, with the digest of its offer. */
export function issueFormToken(
  { runtime, newNonce, formKey }: PagesOptions,
  id: string,
  offer?: string,
): string {
  const form = { sessionId: id, nonce: newNonce(), issuedAt: runtime.wallNow() }
  return createFormToken(offer === undefined ? form : { ...form, offer: digestOffer(offer) }, formKey)
}

/** Reads the token of the posted form; null when the token is not valid for `id`. */
export function verifyPostedToken({ pages, form }: PageContext, id: string): FormTokenClaims | null {
  const now = pages.runtime.wallNow()
  return verifyFormToken(getFormField(form, 'form_token'), { sessionId: id, now }, pages.formKey)
}

/**
 * Shows a submitted form again. Browsers are redirected, so that back, forward and reload never submit the form again.
 * Other clients get the page directly, with its error status.
 */
export function redisplayForm(
  context: PageContext,
  resumed: RedisplayedForm,
  render: (context: PageContext) => Promise<PageResponse>,
): PageResponse | Promise<PageResponse> {
  const { pages, view, path, isTestBarOpen, wantsHtml } = context
  if (!wantsHtml) return render({ ...context, resumed, status: getRedisplayStatus(resumed.reason) })
  const redirect = { path, nonce: pages.newNonce(), sentAt: pages.runtime.wallNow() }
  const encrypted = encryptRedisplayedForm(resumed, redirect, pages.formKey)
  const testBar = isTestBarOpen ? [TEST_BAR_PARAM] : []
  return redirectSeeOther(view.links.page(path, `${RESUMED_FORM}=${encrypted}`, ...testBar))
}

/** Redirects a browser to an existing page, and renders the page directly for other clients. */
export function redirectOrRender(
  { wantsHtml }: PageContext,
  path: string,
  render: () => PageResponse,
): PageResponse {
  return wantsHtml ? redirectSeeOther(path) : render()
}
