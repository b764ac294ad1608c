import { SECURITY_HEADERS } from '../../api/core/security-headers.ts'
import type { ServerBrand } from '../../domain/branding/branding.ts'
import { decodeLogoUrl } from '../../domain/branding/logos/logo.ts'
import type { Runtime } from '../../engine/runtime.ts'
import type { Html } from '../markup/html.ts'
import { FORM_SCRIPT, LIVE_SCRIPT, PAGE_SCRIPT, PAGE_STYLE } from '../view/assets.ts'
import { createBrandStyle } from '../view/brand-style.ts'
import type { PageBrand, PageView } from '../view/page-view.ts'
import type { ReceiptPageContent } from '../view/receipt-texts.ts'
import type { PostedForm } from './posted-form.ts'

/** A request to the hosted pages. */
export interface PageRequest {
  readonly method: string
  /** The path without the query. */
  readonly path: string
  /** The query without the question mark. */
  readonly query?: string
  /** The fields of a posted form; null for other requests, and when the fields cannot be read. */
  readonly form: PostedForm | null
  /** The Accept header. Clients that do not accept HTML get a redirect instead of a page that navigates. */
  readonly accept?: string
  readonly acceptLanguage?: string
}

/** The dependencies and settings of the hosted pages. */
export interface PagesOptions {
  readonly runtime: Runtime
  /** Whether only this machine can open the pages. The test bar then shows outcomes and events. */
  readonly isLocal: boolean
  /** The brand of every page whose session has no brand of its own. */
  readonly brand: ServerBrand
  /** The key that signs form tokens and encrypts the forms that are shown again. */
  readonly formKey: string
  /** Returns a new unguessable string of letters and digits. */
  readonly newNonce: () => string
  /** Called with the error of each failed due job. */
  readonly onError: (error: unknown) => void
}

/** The response of a page. */
export interface PageResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The page or logo; null for a redirect. */
  readonly body: Buffer | null
  /** The contents of the PDF that the page offers; absent when the page shows no receipt. */
  readonly receiptPage?: ReceiptPageContent
}

/** Returns the content security policy of a page: only its own styles and scripts, and images of the origin if it has a logo. */
function createPolicy({ color, logo }: PageBrand): string {
  const colors = color === null ? '' : ` ${createBrandStyle(color).source}`
  return [
    "default-src 'none'",
    `style-src ${PAGE_STYLE.source}${colors}`,
    `script-src ${FORM_SCRIPT.source} ${LIVE_SCRIPT.source} ${PAGE_SCRIPT.source}`,
    // The scripts use fetch to send forms and to reload the page.
    "connect-src 'self'",
    logo === null ? 'img-src data:' : "img-src 'self' data:",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "form-action 'self'",
  ].join('; ')
}

const PLAIN_POLICY = createPolicy({ name: null, color: null, logo: null })

const PAGE_HEADERS: Readonly<Record<string, string>> = {
  ...SECURITY_HEADERS,
  'Content-Security-Policy': PLAIN_POLICY,
  // With no-referrer, browsers would send `Origin: null` for forms of the page itself.
  'Referrer-Policy': 'same-origin',
}

/** Returns an HTML response that is not cached, and whose policy blocks foreign scripts, resources and frames. */
export function createHtmlResponse(
  { language, brand }: PageView,
  status: number,
  page: Html,
  headers: Readonly<Record<string, string>> = {},
): PageResponse {
  return {
    status,
    headers: {
      ...PAGE_HEADERS,
      'Content-Security-Policy': createPolicy(brand),
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Language': language.tag,
      Vary: 'Accept-Language',
      ...headers,
    },
    body: page.encode(),
  }
}

/**
 * Returns the response with a logo, which clients may cache because a logo path always has the same contents. Its
 * policy blocks scripts if the logo is opened as a page.
 */
export function createLogoResponse(url: string): PageResponse {
  const { type, bytes } = decodeLogoUrl(url)
  return {
    status: 200,
    headers: {
      ...SECURITY_HEADERS,
      'Cache-Control': 'public, max-age=31536000, immutable',
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'Content-Type': type === 'svg' ? 'image/svg+xml' : 'image/png',
    },
    body: Buffer.from(bytes),
  }
}

/** Returns a redirect that the browser follows with GET. */
export function redirectSeeOther(location: string): PageResponse {
  return { status: 303, headers: { ...PAGE_HEADERS, Location: location }, body: null }
}
