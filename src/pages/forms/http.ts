import { SECURITY_HEADERS } from '../../api/core/security-headers.ts'
import type { Runtime } from '../../engine/runtime.ts'
import { SOURCES } from '../view/assets.ts'
import type { PostedForm } from './entered-card.ts'

/** What a browser asks for. */
export interface PageRequest {
  readonly method: string
  /** The path alone, without a query. */
  readonly path: string
  /** The query alone, without its question mark. */
  readonly query?: string
  /** The fields of a posted form; null when there are none or they could not be read. */
  readonly form: PostedForm | null
  /** The Accept header; whoever wants no HTML is redirected where a browser is led by the page. */
  readonly accept?: string
  /** The Accept-Language header. */
  readonly acceptLanguage?: string
}

/** What the process lends to the pages. */
export interface Pages {
  readonly runtime: Runtime
  /** Whether only this machine can see the pages, so that they may show its developer what happens behind them. */
  readonly isLocal: boolean
  /** Whom every page names as the one who asks to be paid; null to name the host of a session's `return_url`. */
  readonly businessName: string | null
  /** Signs form tokens. */
  readonly formKey: string
  /** Unguessable letters and digits, new each time. */
  readonly newNonce: () => string
  /** Hears of what time should have done and could not. */
  readonly onError: (error: unknown) => void
}

/** What a page answers with; all text, ready to be sent. */
export interface PageAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const POLICY = [
  "default-src 'none'",
  `style-src ${SOURCES.style}`,
  `script-src ${SOURCES.scripts.join(' ')}`,
  // What a page shows of itself, once more.
  "connect-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "form-action 'self'",
].join('; ')

const SAFETY: Readonly<Record<string, string>> = {
  ...SECURITY_HEADERS,
  'Content-Security-Policy': POLICY,
  // With no-referrer browsers send `Origin: null` with the page's own forms, like those of any other site.
  'Referrer-Policy': 'same-origin',
}

/** A page that no cache keeps and that runs, loads and frames nothing of others. */
export function page(
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): PageAnswer {
  return {
    status,
    headers: {
      ...SAFETY,
      'Content-Type': 'text/html; charset=utf-8',
      Vary: 'Accept-Language',
      ...headers,
    },
    body,
  }
}

/** A redirect that the browser follows with GET. */
export function seeOther(location: string): PageAnswer {
  return page(303, '', { Location: location })
}

/** A file whose name changes with its content. */
export function file(type: string, body: string): PageAnswer {
  return {
    status: 200,
    headers: { ...SAFETY, 'Content-Type': type, 'Cache-Control': 'public, max-age=31536000, immutable' },
    body,
  }
}
