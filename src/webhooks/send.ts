import { Agent, buildConnector, type Dispatcher, request } from 'undici'
import type { AttemptOutcome, DeliveryError } from '../domain/webhook-deliveries.ts'
import type { DeliveryRequest } from './request.ts'
import { BlockedTarget, type TargetGuard } from './ssrf-guard.ts'

const TIMEOUT_MS = 15_000
const KEPT_BYTES = 16 * 1024
/** How many 1xx responses may come before the final one. */
const MAX_INFORMATIONAL = 10
const DNS_CODE = /^(?:ENOTFOUND|EAI_.*|ENODATA|ESERVFAIL)$/
const RESET_CODE = /^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET)$/
const TIMEOUT_CODE = /^(?:ETIMEDOUT|UND_ERR_(?:CONNECT|HEADERS|BODY)_TIMEOUT)$/
// What Node calls failed handshakes and the certificates it does not trust (`tls` in its documentation).
const TLS_CODE =
  /^(?:EPROTO$|ERR_TLS_|ERR_SSL_|CERT_|CRL_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_(?:CA|PURPOSE)|PATH_LENGTH_EXCEEDED|ERROR_IN_)/
const RETRY_AFTER = /^[\x20-\x7e]{1,200}$/
const UNPRINTABLE = /[^\P{Cc}\t\n\r]/gu

/** What came of one request; `error` null is success, and the status is the receiver's whenever there was one. */
export interface SendResult extends Omit<AttemptOutcome, 'url' | 'request_headers' | 'duration_ms'> {
  readonly duration_ms: number
  /** The `Retry-After` header as it came, or null. */
  readonly retry_after: string | null
}

export interface SenderOptions {
  /** A clock for durations, in milliseconds. */
  readonly nowMs: () => number
  readonly guard: TargetGuard
  /** How long headers and body may take together, in milliseconds; 15 s unless given. */
  readonly timeoutMs?: number
  /** Whether a certificate that nobody vouches for will do, as one that a developer made; no unless given. */
  readonly isAnyCertificateTaken?: boolean
  /** What else to do about a failed TLS handshake, in a sentence. */
  readonly tlsHint?: string
}

export interface Sender {
  /** Posts once and never follows, repeats or inflates anything; rejects only for bugs and once the sender is closed. */
  readonly send: (request: DeliveryRequest) => Promise<SendResult>
  /** Breaks off what is in flight, which then rejects, and frees all connections. */
  readonly close: () => Promise<void>
}

/** The one way out to receivers: connections are kept alive by origin, and each request has one at a time for itself. */
export function createSender(options: SenderOptions): Sender {
  const { nowMs, guard, timeoutMs = TIMEOUT_MS, isAnyCertificateTaken = false, tlsHint = '' } = options
  const tls = { rejectUnauthorized: !isAnyCertificateTaken }
  const agent = new Agent({
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: (target, callback) => {
      const lookup = guard.lookupFor(Number(target.port) || (target.protocol === 'https:' ? 443 : 80))
      // HTTP/2 would let one receiver's stalled session hold up every endpoint of its origin.
      buildConnector({ ...tls, timeout: timeoutMs, allowH2: false, lookup })(target, callback)
    },
  })
  return {
    async send(delivery) {
      const startedMs = nowMs()
      const blocked = guard.problemOf(delivery.url)
      const exchange =
        blocked === null
          ? await post(agent, delivery, { timeoutMs, tlsHint })
          : { ...NOTHING, failure: { error: 'blocked', message: blocked } as const }
      return { ...resultOf(exchange), duration_ms: Math.max(0, Math.round(nowMs() - startedMs)) }
    },
    close: () => agent.destroy(),
  }
}

interface Failure {
  readonly error: DeliveryError
  readonly message: string
}

interface Exchange {
  status: number | null
  retryAfter: string | null
  failure: Failure | null
  readonly chunks: readonly Buffer[]
}

const NOTHING: Exchange = { status: null, retryAfter: null, failure: null, chunks: [] }

async function post(
  agent: Agent,
  { url, headers, body }: DeliveryRequest,
  { timeoutMs, tlsHint }: Required<Pick<SenderOptions, 'timeoutMs' | 'tlsHint'>>,
): Promise<Exchange> {
  const chunks: Buffer[] = []
  const exchange: Exchange = { ...NOTHING, chunks }
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(), timeoutMs)
  let informational = 0
  const onInfo = () => {
    informational += 1
    if (informational > MAX_INFORMATIONAL) limit.abort()
  }
  try {
    const { signal } = limit
    const options = { method: 'POST', headers, body, dispatcher: agent, signal, onInfo } as const
    const response = await Promise.race([request(url, options), aborted(limit.signal)])
    exchange.status = response.statusCode
    exchange.retryAfter = firstOf(response.headers['retry-after'])
    await readStart(response.body, chunks)
  } catch (error) {
    if (agent.destroyed) throw error
    const kind = informational > MAX_INFORMATIONAL ? 'protocol' : 'timeout'
    exchange.failure = failureOf(limit.signal.aborted ? kind : classify(error), {
      url: new URL(url),
      timeoutMs,
      tlsHint,
      error,
    })
  } finally {
    clearTimeout(timer)
  }
  return exchange
}

/** Undici itself tells of an abort only once it is connected. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

/** Reads just past what is kept; leaving the loop early breaks the connection off. */
async function readStart(body: Dispatcher.ResponseData['body'], chunks: Buffer[]): Promise<void> {
  let size = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    size += chunk.length
    if (size > KEPT_BYTES) return
  }
}

function resultOf({ status, retryAfter, failure, chunks }: Exchange): Omit<SendResult, 'duration_ms'> {
  const bytes = Buffer.concat(chunks)
  const { text, isCut } = printable(bytes)
  const verdict = failure ?? (status === null ? NO_ANSWER : verdictOn(status))
  return {
    http_status: status,
    error: verdict?.error ?? null,
    error_message: verdict?.message ?? null,
    response_body: status === null ? null : text,
    response_body_truncated: isCut,
    // What is no header of a sane length says nothing.
    retry_after: retryAfter !== null && RETRY_AFTER.test(retryAfter) ? retryAfter : null,
  }
}

const NO_ANSWER: Failure = { error: 'connection', message: 'There was no answer.' }

function verdictOn(status: number): Failure | null {
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400) {
    const message = `The receiver answered ${status}, and redirects are not followed. Give the address it leads to.`
    return { error: 'redirect', message }
  }
  return { error: 'http_status', message: `The receiver answered ${status}; only 2xx means that it took it.` }
}

function classify(error: unknown): DeliveryError {
  if (error instanceof BlockedTarget) return 'blocked'
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

interface Circumstances {
  readonly url: URL
  readonly timeoutMs: number
  readonly tlsHint: string
  readonly error: unknown
}

function failureOf(error: DeliveryError, { url, timeoutMs, tlsHint, error: cause }: Circumstances): Failure {
  const code = codeOf(cause) || 'no code'
  const messages: Readonly<Partial<Record<DeliveryError, string>>> = {
    dns: `There is no host called '${url.hostname}'. Check the spelling of the endpoint's url.`,
    refused: `Nothing listens at ${url.host}. Start your handler, or correct the endpoint's url.`,
    reset: `The connection to ${url.host} was closed before the answer was whole. See your handler's own log.`,
    tls: `TLS with ${url.host} failed (${code}). Use a certificate that this machine trusts, or http. ${tlsHint}`.trimEnd(),
    timeout: `There was no whole answer within ${timeoutMs / 1000} s. Answer first and do the work afterwards.`,
    protocol: `${url.host} sent more than ${MAX_INFORMATIONAL} informational (1xx) responses. Send the final one.`,
    blocked: cause instanceof BlockedTarget ? cause.message : '',
  }
  return { error, message: messages[error] ?? `The exchange with ${url.host} failed (${code}).` }
}

/** Text that fits in what is kept: replacing bytes that are no text makes it longer, so it is cut twice. */
function printable(bytes: Buffer): { readonly text: string; readonly isCut: boolean } {
  const start = decode(bytes).replace(UNPRINTABLE, '\ufffd')
  const encoded = Buffer.from(start)
  const isCut = bytes.length > KEPT_BYTES || encoded.length > KEPT_BYTES
  return { text: decode(encoded), isCut }
}

function decode(bytes: Buffer): string {
  // A character cut in two at the end is left out, not replaced.
  return new TextDecoder().decode(bytes.subarray(0, KEPT_BYTES), { stream: bytes.length > KEPT_BYTES })
}

function firstOf(header: string | string[] | undefined): string | null {
  return (Array.isArray(header) ? header[0] : header) ?? null
}
