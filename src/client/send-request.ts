import type { Agent, IncomingMessage, RequestOptions } from 'node:http'
import { isLocalhostName, lookupLoopback } from '../domain/text/loopback-hosts.ts'
import { readBytes } from './read-bytes.ts'
import type { HttpRequest } from './request.ts'

const MAX_RESPONSE_BYTES = 64 * 1024 * 1024

export interface HttpResponse {
  readonly status: number
  readonly contentType: string
  readonly location: string | undefined
  readonly retryAfterSeconds: number | null
  /** The `Date` header in Unix seconds, or null without a valid header. */
  readonly sentAt: number | null
  /** The `Paycli-Warning` header, or null without that header. */
  readonly warning: string | null
  readonly body: string
}

/** Parses the address of a server and returns the options of requests to the server; `prefix` has no trailing slash. */
export function getBaseRequestOptions(base: string) {
  const { origin, host, hostname, pathname, protocol } = new URL(base)
  // An import of node:http takes ten times as long as `getBuiltinModule`, because lazy getters load undici.
  const http =
    protocol === 'https:' ? process.getBuiltinModule('node:https') : process.getBuiltinModule('node:http')
  const lookup = isLocalhostName(hostname) ? { lookup: lookupLoopback } : {}
  return { origin, host, http, prefix: pathname.replace(/\/$/, ''), lookup }
}

/**
 * Sends a request and resolves with the unread response; rejects with the system error, or with AbortError after
 * `signal` aborts. Without an agent, opens a new connection, because the server could close an idle connection just
 * before its reuse.
 */
export function sendHttpRequest(
  base: string,
  { method, path, headers, body }: HttpRequest,
  signal: AbortSignal,
  agent: Agent | false = false,
): Promise<IncomingMessage> {
  const { origin, prefix, http, lookup } = getBaseRequestOptions(base)
  const options: RequestOptions = { method, headers: { ...headers }, agent, signal, ...lookup }
  if (body !== null) options.headers = { ...headers, 'Content-Length': Buffer.byteLength(body) }
  // Do not resolve the path with `URL`, which would change the path.
  options.path = prefix + path
  return new Promise((resolve, reject) => {
    const request = http.request(origin, options, resolve)
    request.on('error', reject)
    // A response that switches protocols closes the connection without an error.
    const lost = Object.assign(new Error('the connection was closed'), { code: 'ECONNRESET' })
    request.on('close', () => reject(lost))
    request.end(body ?? undefined)
  })
}

/** Reads a response; throws if its body is larger than 64 MiB. */
export async function readResponse(response: IncomingMessage): Promise<HttpResponse> {
  const body = await readBytes(response, MAX_RESPONSE_BYTES)
  if (body === null) throw new Error(`the response is larger than ${MAX_RESPONSE_BYTES} bytes`)
  const { headers, statusCode = 0 } = response
  const retryAfter = headers['retry-after']
  const sentAtMs = Date.parse(headers.date ?? '')
  return {
    status: statusCode,
    contentType: headers['content-type'] ?? 'no content type',
    location: headers.location,
    retryAfterSeconds: retryAfter !== undefined && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) : null,
    sentAt: Number.isNaN(sentAtMs) ? null : Math.floor(sentAtMs / 1000),
    warning: [headers['paycli-warning'] ?? []].flat().join(', ') || null,
    body: body.toString('utf8'),
  }
}
