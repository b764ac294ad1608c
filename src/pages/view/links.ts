import { SESSION_PREFIXES_AND_PATHS, type Session } from '../../domain/sessions/sessions.ts'

type SessionReference = Pick<Session, 'id' | 'object'>

/** The functions that return the paths of pages. Paths depend on the configured checkout URL, never on a request. */
export type PageLinks = ReturnType<typeof createPageLinks>

/** The query parameter with the language that the customer chose. */
export const LANGUAGE_PARAM = 'lang'

/**
 * Creates functions that return links without a host. If the checkout URL is `127.0.0.1` and the page was opened as
 * `localhost`, a link with a host would violate `form-action 'self'`.
 */
export function createPageLinks(checkoutUrl: string, chosenLanguage: string | null = null) {
  const base = new URL(checkoutUrl).pathname.replace(/\/+$/, '')
  const language = chosenLanguage === null ? [] : [`${LANGUAGE_PARAM}=${chosenLanguage}`]
  const page = (path: string, ...params: readonly string[]) =>
    [path, [...language, ...params].join('&')].filter((part) => part !== '').join('?')
  const session = ({ object, id }: SessionReference) =>
    `${base}/${SESSION_PREFIXES_AND_PATHS[object].folder}/${id}`
  return {
    /** The path of the checkout URL, without a trailing slash. */
    base,
    /** The language that the customer chose, which every link contains; null if no language was chosen. */
    chosenLanguage,
    /** Returns the path of any page, with more query parameters. */
    page,
    /** Returns the path of the page of a session, or of a page below it, such as `/done`, with more query parameters. */
    session: (reference: SessionReference, part = '', ...params: readonly string[]) =>
      page(session(reference) + part, ...params),
    /** Returns the path of the logo of a session, by its file name. */
    sessionLogo: (reference: SessionReference, file: string) => `${session(reference)}/logo/${file}`,
    /** Returns the path of the logo of the server, by its file name. */
    logo: (file: string) => `${base}/brand/${file}`,
    invoice: (id: string) => page(`${base}/invoices/${id}`),
    /** Returns the path of the receipt of an invoice or a payment as PDF. */
    receiptPdf: ({ object, id }: { readonly object: 'invoice' | 'payment'; readonly id: string }) =>
      page(`${base}/${object === 'invoice' ? 'invoices' : '3ds'}/${id}/receipt.pdf`),
    threeDSecure: (target: string) => page(`${base}/3ds/${target}`),
    /** Returns the path of the result page after the 3-D Secure confirmation of an invoice or API payment. */
    confirmationResult: (payment: string) => page(`${base}/3ds/${payment}/done`),
  } as const
}
