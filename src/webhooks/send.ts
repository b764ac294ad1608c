import { Agent, buildConnector } from 'undici'
import type { DeliveryAttemptResult, DeliveryError } from '../domain/webhook-deliveries.ts'
import type { DeliveryRequest } from './delivery-request.ts'
import { Exchange, MAX_INFORMATIONAL } from './exchange.ts'
import { BlockedTargetError, type TargetGuard } from './ssrf-guard.ts'

const TIMEOUT_MS = 15_000
const KEPT_BYTES = 16 * 1024
const DNS_CODE = /^(?:ENOTFOUND|EAI_.*|ENODATA|ESERVFAIL)$/
const RESET_CODE = /^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET)$/
const TIMEOUT_CODE = /^(?:ETIMEDOUT|UND_ERR_(?:CONNECT|HEADERS|BODY)_TIMEOUT)$/
// Error codes of failed handshakes and untrusted certificates (documented in the `tls` module of Node.js).
const TLS_CODE =
  /^(?:EPROTO$|ERR_TLS_|ERR_SSL_|CERT_|CRL_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_(?:CA|PURPOSE)|PATH_LENGTH_EXCEEDED|ERROR_IN_)/
const RETRY_AFTER = /^[\x20-\x7e]{1,200}$/
const UNPRINTABLE = /[^\P{Cc}\t\n\r]/gu

/** The result of one request; `error` is null on success. */
export interface SendResult extends Omit<DeliveryAttemptResult, 'url' | 'request_headers' | 'duration_ms'> {
  readonly duration_ms: number
  /** The `Retry-After` header, or null. */
  readonly retry_after: string | null
}

export interface SenderOptions {
  /** A clock for durations, in milliseconds. */
  readonly nowMs: () => number
  readonly guard: TargetGuard
  /** Timeout for headers and body together, in milliseconds (default: 15 s). */
  readonly timeoutMs?: number
  /** Whether an untrusted certificate is accepted, such as a self-signed one (default: false). */
  readonly isUntrustedCertificateAllowed?: boolean
  /** The last sentence of the error message for a failed TLS handshake. */
  readonly tlsHint?: string
}

export interface Sender {
  /**
   * Posts once, without redirects, retries or decompression. Rejects only for invalid requests and after `close`; every
   * failure of the endpoint is a result.
   */
  readonly send: (request: DeliveryRequest) => Promise<SendResult>
  /** Aborts requests in flight, which then reject, and closes all connections. */
  readonly close: () => Promise<void>
}

/**
 * Creates the HTTP client of webhooks. It keeps connections per origin alive; each has one request in flight at a time.
 */
export function createSender(options: SenderOptions): Sender {
  const { nowMs, guard, timeoutMs = TIMEOUT_MS, tlsHint = '' } = options
  const tls = { rejectUnauthorized: options.isUntrustedCertificateAllowed !== true }
  const agent = new Agent({
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: (target, callback) => {
      const lookup = guard.lookupFor(Number(target.port) || (target.protocol === 'https:' ? 443 : 80))
      // A stalled HTTP/2 session would delay every endpoint of its origin.
      buildConnector({ ...tls, timeout: timeoutMs, allowH2: false, lookup })(target, callback)
    },
  })
  return {
    async send(delivery) {
      const startedMs = nowMs()
      const blocked = guard.findProblem(delivery.url)
      const exchange =
        blocked === null
          ? await post(agent, delivery, { timeoutMs, tlsHint })
          : { ...NO_EXCHANGE, failure: { error: 'blocked', message: blocked } as const }
      return { ...toSendResult(exchange), duration_ms: Math.max(0, Math.round(nowMs() - startedMs)) }
    },
    close: () => agent.destroy(),
  }
}

interface SendFailure {
  readonly error: DeliveryError
  readonly message: string
}

interface HttpExchange extends Pick<Exchange, 'status' | 'retryAfter' | 'chunks'> {
  readonly failure: SendFailure | null
}

const NO_EXCHANGE = { status: null, retryAfter: null, chunks: [] }

type PostOptions = Required<Pick<SenderOptions, 'timeoutMs' | 'tlsHint'>>

async function post(
  agent: Agent,
  { url, headers, body }: DeliveryRequest,
  options: PostOptions,
): Promise<HttpExchange> {
  const target = new URL(url)
  const { origin, pathname, search } = target
  const exchange = new Exchange(KEPT_BYTES)
  const timer = setTimeout(() => exchange.abort('timeout'), options.timeoutMs)
  agent.dispatch({ origin, path: pathname + search, method: 'POST', headers, body }, exchange)
  const cause = await exchange.ended
  clearTimeout(timer)
  const { status, retryAfter, chunks } = exchange
  if (cause === null) return { status, retryAfter, chunks, failure: null }
  if (agent.destroyed && cause instanceof Error) throw cause
  const kind = typeof cause === 'string' ? cause : classifyError(cause)
  return { status, retryAfter, chunks, failure: createFailure(kind, cause, target, options) }
}

function toSendResult(exchange: HttpExchange): Omit<SendResult, 'duration_ms'> {
  const { status, retryAfter, failure, chunks } = exchange
  const bytes = Buffer.concat(chunks)
  const { text, isCut } = toPrintableText(bytes)
  const result = failure ?? (status === null ? NO_RESPONSE : classifyStatus(status))
  return {
    http_status: status,
    error: result?.error ?? null,
    error_message: result?.message ?? null,
    response_body: status === null ? null : text,
    response_body_truncated: isCut,
    // Ignores headers that are too long or not ASCII.
    retry_after: retryAfter !== null && RETRY_AFTER.test(retryAfter) ? retryAfter : null,
  }
}

const NO_RESPONSE: SendFailure = { error: 'connection', message: 'There was no response.' }

function classifyStatus(status: number): SendFailure | null {
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400) {
    const message = `The endpoint returned ${status}: redirects are not followed. Use the URL of the redirect target.`
    return { error: 'redirect', message }
  }
  return { error: 'http_status', message: `The endpoint returned ${status}: expected 2xx.` }
}

function classifyError(error: unknown): DeliveryError {
  if (error instanceof BlockedTargetError) return 'blocked'
  const code = codeOf(error)
  if (code === 'UND_ERR_INVALID_ARG') throw error
  if (TIMEOUT_CODE.test(code)) return 'timeout'
  if (DNS_CODE.test(code)) return 'dns'
  if (code === 'ECONNREFUSED') return 'refused'
  if (RESET_CODE.test(code)) return 'reset'
  return TLS_CODE.test(code) ? 'tls' : 'connection'
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

function createFailure(
  error: DeliveryError,
  cause: unknown,
  url: URL,
  { timeoutMs, tlsHint }: PostOptions,
): SendFailure {
  const code = codeOf(cause) || 'no code'
  const messages: Readonly<Partial<Record<DeliveryError, string>>> = {
    dns: `Cannot resolve the host '${url.hostname}'. Check the url of the endpoint.`,
    refused: `Connection refused by ${url.host}. Start your handler, or correct the url of the endpoint.`,
    reset: `${url.host} closed the connection before the response was complete. Check the log of your handler.`,
    tls: `TLS with ${url.host} failed (${code}). Use a certificate that this machine trusts, or http. ${tlsHint}`.trimEnd(),
    timeout: `There was no complete response within ${timeoutMs / 1000} s. Respond first and process the event afterwards.`,
    protocol: `${url.host} sent more than ${MAX_INFORMATIONAL} informational (1xx) responses. Send the final response.`,
    blocked: cause instanceof BlockedTargetError ? cause.message : '',
  }
  return { error, message: messages[error] ?? `The request to ${url.host} failed (${code}).` }
}

/** Decodes and truncates a body; truncates twice, because replacing invalid bytes makes the text longer. */
function toPrintableText(bytes: Buffer): { readonly text: string; readonly isCut: boolean } {
  const start = decode(bytes).replace(UNPRINTABLE, '\ufffd')
  const encoded = Buffer.from(start)
  const isCut = bytes.length > KEPT_BYTES || encoded.length > KEPT_BYTES
  return { text: decode(encoded), isCut }
}

function decode(bytes: Buffer): string {
  // Drops an incomplete character at the end instead of replacing it.
  return new TextDecoder().decode(bytes.subarray(0, KEPT_BYTES), { stream: bytes.length > KEPT_BYTES })
}
