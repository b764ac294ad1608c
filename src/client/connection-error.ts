/** Why no answer of the service came back. */
export type ConnectionErrorCode =
  | 'connection_refused'
  | 'connection_lost'
  | 'host_not_found'
  | 'host_unreachable'
  | 'tls_failed'
  | 'timeout'
  | 'redirected'
  | 'not_paycli'

interface Said {
  readonly problem: string
  readonly hint: string
  readonly idempotencyKey?: string | null
}

/** No answer of the service came back; `hint` says what to do, and the message ends with it. */
export class ConnectionError extends Error {
  readonly code: ConnectionErrorCode
  readonly url: string
  readonly hint: string
  /** The key of a POST that may have been carried out: sent again with it, it is carried out once. Null for all else. */
  readonly idempotencyKey: string | null

  constructor(code: ConnectionErrorCode, url: string, { problem, hint, idempotencyKey = null }: Said) {
    super(`${problem}. ${hint}`)
    this.name = 'ConnectionError'
    this.code = code
    this.url = url
    this.hint = hint
    this.idempotencyKey = idempotencyKey
  }
}

const CHECK_BASE = 'Check --api-base or PAYCLI_API_BASE'
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

type Words = readonly [code: ConnectionErrorCode, problem: (url: URL) => string, hint: (url: URL) => string]

const REFUSED: Words = [
  'connection_refused',
  (url) =>
    LOOPBACK.test(url.hostname) ? `No paycli daemon at ${url.origin}` : `Nothing listens at ${url.origin}`,
  (url) =>
    LOOPBACK.test(url.hostname)
      ? 'Start one: paycli serve'
      : `${CHECK_BASE}, and that the service is running.`,
]

const LOST: Words = [
  'connection_lost',
  (url) => `${url.origin} closed the connection without a whole answer`,
  () => `Try again; if it stays so, another program may be listening there: ${CHECK_BASE}.`,
]

const NOT_FOUND: Words = [
  'host_not_found',
  (url) => `No host is called ${url.hostname}`,
  () => `${CHECK_BASE} for a misspelt name, and the network connection.`,
]

const UNREACHABLE: Words = [
  'host_unreachable',
  (url) => `${url.hostname} cannot be reached`,
  () => `Check the network connection, a firewall or VPN between, and --api-base or PAYCLI_API_BASE.`,
]

const NOT_HTTP: Words = [
  'not_paycli',
  (url) => `What listens at ${url.origin} does not speak HTTP`,
  () => `${CHECK_BASE}: the port, and whether it should start with https://.`,
]

const BY_SYSTEM_CODE: ReadonlyMap<string, Words> = new Map([
  ['ECONNREFUSED', REFUSED],
  ['ECONNRESET', LOST],
  ['EPIPE', LOST],
  ['ENOTFOUND', NOT_FOUND],
  ['EAI_AGAIN', NOT_FOUND],
  ['EHOSTUNREACH', UNREACHABLE],
  ['ENETUNREACH', UNREACHABLE],
  ['EADDRNOTAVAIL', UNREACHABLE],
  ['ETIMEDOUT', UNREACHABLE],
])

/**
 * Puts what the system says of a failed connection into words; `systemCode` is such as `ECONNREFUSED`, the key that of
 * the POST, null for any other request.
 */
export function connectionFailure(
  systemCode: string,
  base: string,
  idempotencyKey: string | null = null,
): ConnectionError {
  const [code, problem, hint] = BY_SYSTEM_CODE.get(systemCode) ?? wordsOfFamily(systemCode)
  const url = new URL(base)
  // Only then may the request have arrived.
  const isLost = code === 'connection_lost' && idempotencyKey !== null
  const unanswered = isLost ? { hint: once(idempotencyKey), idempotencyKey } : { hint: hint(url) }
  return new ConnectionError(code, base, { problem: problem(url), ...unanswered })
}

function once(idempotencyKey: string): string {
  return `It may have been carried out: send it again with the idempotency key ${idempotencyKey}, and it is carried out once.`
}

// Node names dozens of TLS faults (of OpenSSL and its own) and every fault of the HTTP parser (HPE_…).
function wordsOfFamily(systemCode: string): Words {
  if (systemCode.startsWith('HPE_')) return NOT_HTTP
  if (/CERT|SSL|TLS|EPROTO|SIGNATURE/.test(systemCode)) {
    return [
      'tls_failed',
      (url) => `No trusted TLS connection to ${url.origin} (${systemCode})`,
      () =>
        'Use http:// if it has no TLS; if its certificate is your own, name its CA in NODE_EXTRA_CA_CERTS.',
    ]
  }
  return [LOST[0], (url) => `The connection to ${url.origin} failed (${systemCode})`, LOST[2]]
}

/** The error of a call that took too long, with the key of a POST. */
export function timedOut(
  base: string,
  timeoutMs: number,
  idempotencyKey: string | null = null,
): ConnectionError {
  return new ConnectionError('timeout', base, {
    problem: `${new URL(base).origin} did not answer within ${timeoutMs / 1000} s`,
    hint:
      idempotencyKey === null
        ? 'It may be busy or stuck: look at its log, and retrieve the object before you repeat a change.'
        : once(idempotencyKey),
    idempotencyKey,
  })
}

/** The error of an answer that sends the caller elsewhere, which the service never does. */
export function redirected(base: string, status: number, location: string | undefined): ConnectionError {
  return new ConnectionError('redirected', base, {
    problem: `${new URL(base).origin} redirects (${status}) to ${location ?? 'nowhere'}, which the API never does`,
    hint: `${CHECK_BASE}: give the address it redirects to if that is the service.`,
  })
}

/** The error of an answer that the service cannot have given; `what` says how it looks. */
export function notPaycli(base: string, status: number, what: string): ConnectionError {
  return new ConnectionError('not_paycli', base, {
    problem: `${new URL(base).origin} answered ${status} with ${what}, so something else than paycli listens there`,
    hint: `${CHECK_BASE}, or start a daemon on another port: paycli serve --port 0`,
  })
}
