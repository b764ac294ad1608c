import type { IncomingMessage } from 'node:http'
import type { Middleware } from 'koa'
import { createUrlTooLongError } from '../../api/schema/http-errors.ts'
import { DomainError } from '../../domain/core/domain-error.ts'

/** The allowed values of the Host header, as `name:port`. Other hosts are rejected to prevent DNS rebinding. */
export type AllowedHosts = ReadonlySet<string>

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]']

/** Returns whether a URL has a loopback host. */
export function isLoopbackUrl(url: string): boolean {
  return LOOPBACK.includes(new URL(url).hostname)
}

/** Returns the loopback names with a port and the hosts of the configured public URLs. */
export function listAllowedHosts(port: number, publicUrls: readonly string[]): AllowedHosts {
  const loopback = LOOPBACK.flatMap((name) => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`]))
  return new Set([...loopback, ...publicUrls.map((url) => new URL(url).host)])
}

/** Rejects requests with a wrong Host header, an origin that `checkOrigin` rejects, or a URL of more than 8192 characters. */
export function createHostGuard(
  allowed: AllowedHosts,
  checkOrigin: (request: IncomingMessage, allowed: AllowedHosts) => void,
): Middleware {
  return ({ req }, next) => {
    checkHost(req, allowed)
    checkOrigin(req, allowed)
    checkUrl(req)
    return next()
  }
}

/** Maximum length of path and query. */
const MAX_URL_CHARACTERS = 8192

// Node.js itself rejects header blocks above its limit.
function checkUrl({ url = '' }: IncomingMessage): void {
  if (url.length <= MAX_URL_CHARACTERS) return
  throw createUrlTooLongError(url.length, MAX_URL_CHARACTERS)
}

// The Host header must occur exactly once. The error message does not quote the header.
function checkHost(request: IncomingMessage, allowed: AllowedHosts): void {
  const host = request.headers.host?.toLowerCase()
  const isNamed = host !== undefined && allowed.has(host) && countHosts(request.rawHeaders) === 1
  const target = takeRequestLineHost(request)
  if (isNamed && (target === null || allowed.has(target))) return
  throw new DomainError(
    'host_not_allowed',
    'The Host header does not match this server. Use the address that `paycli serve` printed.',
  )
}

// Koa would parse `*` and fragments with url.parse(), which prints a deprecation warning when the program runs from its
// bundle. Clients must not send fragments.
function simplifyTarget(target: string): string {
  if (target === '*') return '/*'
  return target.includes('#') ? target.slice(0, target.indexOf('#')) : target
}

// The host of an absolute request target overrides the Host header (RFC 9112, 3.2.2). Reduces the target to its path,
// because later code fails on targets that are not valid URLs.
function takeRequestLineHost(request: IncomingMessage): string | null {
  const url = simplifyTarget(request.url ?? '/')
  request.url = url.startsWith('/') ? url : '/'
  if (url.startsWith('/')) return null
  const parsed = URL.parse(url)
  if (parsed?.pathname.startsWith('/')) request.url = parsed.pathname + parsed.search
  return parsed?.host ?? ''
}

// The parsed headers contain only the first Host header.
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1
  }
  return count
}

const SAME_SITE_VALUES: readonly unknown[] = [undefined, 'same-origin', 'none']

/**
 * Throws when a page of another origin submitted a form; the form token is an additional check. Browsers send Origin or
 * Sec-Fetch-Site with every form; other HTTP clients, which no page controls, send neither.
 */
export function checkFormOrigin({ method, headers }: IncomingMessage, allowed: AllowedHosts): void {
  if (method !== 'POST') return
  const isOwnSite = SAME_SITE_VALUES.includes(headers['sec-fetch-site'])
  if (isOwnSite && (headers.origin === undefined || isAllowedOrigin(headers.origin, allowed))) return
  throw new DomainError(
    'host_not_allowed',
    'Cannot accept this form: a page of another origin submitted it. Open the page itself and submit its form.',
  )
}

function isAllowedOrigin(origin: string, allowed: AllowedHosts): boolean {
  return /^https?:/.test(origin) && allowed.has(URL.parse(origin)?.host ?? '')
}

/** Throws when a web page sent a request, unless the page is on the origin of the API, such as the API reference. */
export function checkOrigin({ headers }: IncomingMessage): void {
  const { origin, host } = headers
  if (origin === undefined) return
  // Scripts of a page cannot set Sec-Fetch-Site.
  const isReference = headers['sec-fetch-site'] === 'same-origin' && URL.parse(origin)?.host === host
  if (isReference) return
  throw new DomainError(
    'host_not_allowed',
    'The API rejects requests from web pages (with an Origin header), because API keys belong on a server. Call the API from your backend.',
  )
}
