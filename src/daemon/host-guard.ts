import type { IncomingMessage } from 'node:http'
import { urlTooLong } from '../api/schema/wire-refusals.ts'
import { DomainError } from '../domain/domain-error.ts'

/** Hosts a listener answers to, as `name:port`; every other one may be a site that had its name rebound to this machine. */
export interface AllowedHosts {
  has(host: string): boolean
}

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]']

/** Whether an address leads to this machine alone. */
export function isLoopback(url: string): boolean {
  return LOOPBACK.includes(new URL(url).hostname)
}

/** The loopback names with a port, and the hosts of public URLs that were configured. */
export function allowedHosts(port: number, publicUrls: readonly string[]): AllowedHosts {
  const loopback = LOOPBACK.flatMap((name) => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`]))
  return new Set([...loopback, ...publicUrls.map((url) => new URL(url).host)])
}

/** The longest URL that is read, as a request line has it: path and query. */
const MAX_URL_CHARACTERS = 8192

/** Refuses requests whose URL is longer than anybody needs; of a header block that is too large Node makes no request. */
export function checkUrl({ url = '' }: Pick<IncomingMessage, 'url'>): void {
  if (url.length <= MAX_URL_CHARACTERS) return
  throw urlTooLong(url.length, MAX_URL_CHARACTERS)
}

/** Refuses requests whose Host is missing, doubled or not on the list, without repeating it. */
export function checkHost(request: IncomingMessage, allowed: AllowedHosts): void {
  const host = request.headers.host?.toLowerCase()
  const isNamed = host !== undefined && allowed.has(host) && countHosts(request.rawHeaders) === 1
  const target = takeHost(request)
  if (isNamed && (target === null || allowed.has(target))) return
  throw new DomainError(
    'host_not_allowed',
    'The Host header does not name this service. Use the address that `paycli serve` printed.',
  )
}

// A request line may name a host itself, and that one counts (RFC 9112, 3.2.2). Only the path of it is read further on:
// not everything reads what cannot be a URL without failing.
function takeHost(request: IncomingMessage): string | null {
  const { url = '/' } = request
  if (url.startsWith('/') || url === '*') return null
  request.url = '/'
  if (!URL.canParse(url)) return ''
  const { host, pathname, search } = new URL(url)
  if (pathname.startsWith('/')) request.url = pathname + search
  return host
}

// Of two, the parsed headers tell only the first.
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() === 'host') count += 1
  }
  return count
}

const OWN_SITE: readonly unknown[] = [undefined, 'same-origin', 'none']

/**
 * Refuses a form that a page of another origin sent, as a second check beside the form token. Browsers send an Origin
 * with every form, or Sec-Fetch-Site; only programs, which no page controls, send neither.
 */
export function checkFormOrigin({ headers }: IncomingMessage, allowed: AllowedHosts): void {
  const isOwnSite = OWN_SITE.includes(headers['sec-fetch-site'])
  if (isOwnSite && (headers.origin === undefined || isOfHost(headers.origin, allowed))) return
  throw new DomainError(
    'host_not_allowed',
    'Cannot accept this form: a page of another origin sent it. Open the page itself and submit its form.',
  )
}

function isOfHost(origin: string, allowed: AllowedHosts): boolean {
  return /^https?:/.test(origin) && URL.canParse(origin) && allowed.has(new URL(origin).host)
}

/** Refuses what a browser sends from a site: the API has no pages, so no origin is expected. */
export function checkOrigin(request: IncomingMessage): void {
  if (request.headers.origin === undefined) return
  throw new DomainError(
    'host_not_allowed',
    'The API takes no requests from web pages (an Origin header was sent): its key belongs on a server. Call it from your backend.',
  )
}
