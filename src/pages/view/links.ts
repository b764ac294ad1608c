import { SESSION_KINDS, type Session } from '../../domain/sessions/sessions.ts'

type SessionReference = Pick<Session, 'id' | 'object'>

/** Returns the paths of pages, based on the configured checkout URL and never on a request. */
export interface PageLinks {
  /** The path of the checkout URL, without a trailing slash. */
  readonly base: string
  /** The language that the customer chose, which every link keeps; null if none was chosen. */
  readonly chosenLanguage: string | null
  /** Returns the path of any page, with more query parameters. */
  readonly page: (path: string, ...params: readonly string[]) => string
  readonly session: (session: SessionReference) => string
  readonly done: (session: SessionReference) => string
  /** Returns the path of the sheet of the simulated wallet. */
  readonly wallet: (session: SessionReference) => string
  /** Returns the path of the form with the outcome of an earlier submission. */
  readonly attempt: (session: SessionReference, nonce: string) => string
  /** Returns the path of the logo of a session, by its file name. */
  readonly sessionLogo: (session: SessionReference, file: string) => string
  /** Returns the path of the logo of the server, by its file name. */
  readonly logo: (file: string) => string
  readonly invoice: (invoice: string) => string
  readonly threeDSecure: (target: string) => string
  /** Returns the path of the result page after the 3-D Secure confirmation of an invoice or API payment. */
  readonly confirmationResult: (payment: string) => string
}

/** The query parameter with the language that the customer chose. */
export const LANGUAGE_PARAM = 'lang'

/**
 * Creates links without a host. If the checkout URL is `127.0.0.1` and the page was opened as `localhost`, a link with a
 * host would violate `form-action 'self'`.
 */
export function createPageLinks(checkoutUrl: string, chosenLanguage: string | null = null): PageLinks {
  const base = new URL(checkoutUrl).pathname.replace(/\/+$/, '')
  const language = chosenLanguage === null ? [] : [`${LANGUAGE_PARAM}=${chosenLanguage}`]
  const page = (path: string, ...params: readonly string[]) =>
    [path, [...language, ...params].join('&')].filter((part) => part !== '').join('?')
  const session = ({ object, id }: SessionReference) => `${base}/${SESSION_KINDS[object].folder}/${id}`
  return {
    base,
    chosenLanguage,
    page,
    session: (reference) => page(session(reference)),
    done: (reference) => page(`${session(reference)}/done`),
    wallet: (reference) => page(`${session(reference)}/wallet`),
    attempt: (reference, nonce) => page(`${session(reference)}/attempts/${nonce}`),
    sessionLogo: (reference, file) => `${session(reference)}/logo/${file}`,
    logo: (file) => `${base}/brand/${file}`,
    invoice: (invoice) => page(`${base}/invoices/${invoice}`),
    threeDSecure: (target) => page(`${base}/3ds/${target}`),
    confirmationResult: (payment) => page(`${base}/3ds/${payment}/done`),
  }
}
