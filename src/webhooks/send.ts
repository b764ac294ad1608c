import { Agent, type ClientRequest, type RequestOptions, request } from 'node:http'
import { Agent as SecureAgent } from 'node:https'
import { urlToHttpOptions } from 'node:url'
import type { DeliveryAttemptResult, DeliveryError } from '../domain/events/webhook-deliveries.ts'
import type { DeliveryRequest } from './delivery-request.ts'
import {
  MAX_INFORMATIONAL_RESPONSES,
  type ReceivedResponse,
  receiveResponse,
  waitForEventLoopTurns,
} from './exchange.ts'
import { BlockedTargetError, type TargetGuard } from './ssrf-guard.ts'

const TIMEOUT_MS = 15_000
/** Shorter than the usual idle timeout of servers (5 s or more), so that requests rarely use a closed connection. */
const IDLE_MS = 4000
const KEPT_BYTES = 16 * 1024
const MAX_CACHED_URLS = 1000
const DNS_CODE = /^(?:ENOTFOUND|EAI_.*|ENODATA|ESERVFAIL)$/
const RESET_CODE = /^(?:ECONNRESET|EPIPE)$/
// Matches codes of failed handshakes and untrusted certificates (documented in the `tls` module of Node.js).
const TLS_CODE =
  /^(?:EPROTO$|ERR_TLS_|ERR_SSL_|CERT_|CRL_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_(?:CA|PURPOSE)|PATH_LENGTH_EXCEEDED|ERROR_IN_)/
const RETRY_AFTER = /^[\x20-\x7e]{1,200}$/
const DECODER = new TextDecoder()
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
  /** Timeout for the connection, the headers and the body together, in milliseconds (default: 15 s). */
  readonly timeoutMs?: number
  /** Whether an untrusted certificate is accepted, such as a self-signed certificate (default: false). */
  readonly isUntrustedCertificateAllowed?: boolean
  /** The last sentence of the error message for a failed TLS handshake. */
  readonly tlsHint?: string
}

export interface Sender {
  /**
   * Sends one POST request without redirects, retries or decompression. Rejects only for invalid requests and after
   * `close`; every failure of the endpoint is a result.
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
  const connections = openConnections(guard, options.isUntrustedCertificateAllowed !== true)
  return {
    async send(delivery) {
      const startedMs = nowMs()
      const blocked = connections.findProblem(delivery.url)
      const exchange =
        blocked === null
          ? await post(connections, delivery, { timeoutMs, tlsHint })
          : { ...NO_EXCHANGE, failure: { error: 'blocked', message: blocked } as const }
      return { ...toSendResult(exchange), duration_ms: Math.max(0, Math.round(nowMs() - startedMs)) }
    },
    close: async () => connections.close(),
  }
}

type Connections = ReturnType<typeof openConnections>

/** The options of requests to a URL, and the reason why the URL is forbidden, or null. */
interface Target {
  readonly problem: string | null
  readonly options: RequestOptions
}

function openConnections(guard: TargetGuard, rejectUnauthorized: boolean) {
  const kept = { keepAlive: true, timeout: IDLE_MS }
  const plain = new Agent(kept)
  const secure = new SecureAgent({ ...kept, rejectUnauthorized })
  const targets = new Map<string, Target>()
  let isClosed = false

  // The options are cached, because Node.js needs a fifth of the time of a request to convert its URL.
  function targetOf(url: string): Target {
    const cached = targets.get(url)
    if (cached !== undefined) return cached
    const problem = guard.findProblem(url)
    const { protocol, hostname, port, path, auth } = urlToHttpOptions(new URL(url))
    const isSecure = protocol === 'https:'
    const lookup = guard.lookupFor(Number(port) || (isSecure ? 443 : 80))
    const agent = isSecure ? secure : plain
    const options = { method: 'POST', protocol, hostname, port, path, auth, agent, lookup }
    const target = { problem, options }
    if (targets.size >= MAX_CACHED_URLS) targets.clear()
    targets.set(url, target)
    return target
  }

  return {
    findProblem: (url: string) => targetOf(url).problem,
    /** Starts a POST request; throws for an invalid request, and after `close`. */
    post(url: string, headers: DeliveryRequest['headers']): ClientRequest {
      if (isClosed) throw new Error('The sender is closed.')
      return request({ ...targetOf(url).options, headers })
    },
    isClosed: () => isClosed,
    /** Ends all connections and the requests on them. */
    close(): void {
      isClosed = true
      plain.destroy()
      secure.destroy()
    },
  }
}

interface SendFailure {
  readonly error: DeliveryError
  readonly message: string
}

interface HttpExchange extends Pick<ReceivedResponse, 'status' | 'retryAfter' | 'chunks'> {
  readonly failure: SendFailure | null
}

const NO_EXCHANGE = { status: null, retryAfter: null, chunks: [] }

type PostOptions = Required<Pick<SenderOptions, 'timeoutMs' | 'tlsHint'>>

async function post(
  connections: Connections,
  { url, headers, body }: DeliveryRequest,
  options: PostOptions,
): Promise<HttpExchange> {
  const request = await openRequest(connections, url, headers)
  const received = receiveResponse(request, KEPT_BYTES, options.timeoutMs)
  request.end(body)
  const { failure: cause, ...response } = await received
  if (cause === null) return { ...response, failure: null }
  if (connections.isClosed() && cause instanceof Error) throw cause
  const kind = typeof cause === 'string' ? cause : classifyError(cause)
  return { ...response, failure: createFailure(kind, cause, new URL(url), options) }
}

/**
 * Starts a request on a new connection, or on an idle connection that is still open. Many servers close a connection
 * right after a response without announcing it, which is detected only here. Nothing was sent yet, so another request
 * is safe.
 */
async function openRequest(
  connections: Connections,
  url: string,
  headers: DeliveryRequest['headers'],
): Promise<ClientRequest> {
  for (;;) {
    const request = connections.post(url, headers)
    if (!request.reusedSocket) return request
    let isEnded = false
    request.once('error', () => {
      isEnded = true
    })
    // Wait two turns, because the first turn ends before the event loop reads the socket again.
    await waitForEventLoopTurns(2)
    if (!isEnded) return request
  }
}

function toSendResult(exchange: HttpExchange): Omit<SendResult, 'duration_ms'> {
  const { status, retryAfter, failure, chunks } = exchange
  const bytes = Buffer.concat(chunks)
  const { text, isCut } = toPrintableText(bytes)
  const result = failure ?? (status === null ? NO_RESPONSE : classifyStatus(status, text))
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

const SECRET_HINT =
  'The handler probably uses another secret. An endpoint that you create has its own secret, which was printed once; replace it with paycli webhooks endpoints roll-secret <id>. For listen and serve: paycli listen --print-secret. Test the handler: paycli webhooks check <url>.'

const NO_RESPONSE: SendFailure = { error: 'connection', message: 'There was no response.' }

function classifyStatus(status: number, body: string): SendFailure | null {
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400) {
    const message = `The endpoint returned ${status}: redirects are not followed. Use the URL of the redirect target.`
    return { error: 'redirect', message }
  }
  const hint = /signature/i.test(body) ? ` ${SECRET_HINT}` : ''
  return { error: 'http_status', message: `The endpoint returned ${status}: expected 2xx.${hint}` }
}

function classifyError(error: unknown): DeliveryError {
  if (error instanceof BlockedTargetError) return 'blocked'
  const code = codeOf(error)
  if (code === 'ETIMEDOUT') return 'timeout'
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
    protocol: `${url.host} sent more than ${MAX_INFORMATIONAL_RESPONSES} informational (1xx) responses, or switched the protocol. Send the final response.`,
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
  if (bytes.length <= KEPT_BYTES) return DECODER.decode(bytes)
  // Drops an incomplete character at the end instead of replacing it.
  return new TextDecoder().decode(bytes.subarray(0, KEPT_BYTES), { stream: true })
}
