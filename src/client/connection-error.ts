/** Reason for a missing or invalid response of a paycli server. */
export type ConnectionErrorCode =
  | 'connection_refused'
  | 'connection_lost'
  | 'host_not_found'
  | 'host_unreachable'
  | 'tls_failed'
  | 'timeout'
  | 'redirected'
  | 'not_paycli'

interface ConnectionErrorDetails {
  readonly problem: string
  readonly hint: string
  readonly idempotencyKey?: string | null
}

/** The server sent no valid response. The message ends with `hint`, the suggested fix. */
export class ConnectionError extends Error {
  readonly code: ConnectionErrorCode
  readonly url: string
  readonly hint: string
  /** The key of a POST that the server may have executed; null for any other request. */
  readonly idempotencyKey: string | null

  constructor(
    code: ConnectionErrorCode,
    url: string,
    { problem, hint, idempotencyKey = null }: ConnectionErrorDetails,
  ) {
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

type ErrorTexts = readonly [
  code: ConnectionErrorCode,
  problem: (url: URL) => string,
  hint: (url: URL) => string,
]

const REFUSED: ErrorTexts = [
  'connection_refused',
  (url) =>
    LOOPBACK.test(url.hostname) ? `No paycli daemon at ${url.origin}` : `No server listens at ${url.origin}`,
  (url) =>
    LOOPBACK.test(url.hostname)
      ? 'Start one: paycli serve'
      : `${CHECK_BASE}, and that the server is running.`,
]

const LOST: ErrorTexts = [
  'connection_lost',
  (url) => `${url.origin} closed the connection before the end of the response`,
  () => `Try again. If the error persists, another program may use this address: ${CHECK_BASE}.`,
]

const NOT_FOUND: ErrorTexts = [
  'host_not_found',
  (url) => `Host ${url.hostname} was not found`,
  () => `${CHECK_BASE} for a misspelled name, and the network connection.`,
]

const UNREACHABLE: ErrorTexts = [
  'host_unreachable',
  (url) => `${url.hostname} cannot be reached`,
  () => `Check the network connection, any firewall or VPN, and --api-base or PAYCLI_API_BASE.`,
]

const NOT_HTTP: ErrorTexts = [
  'not_paycli',
  (url) => `The server at ${url.origin} does not speak HTTP`,
  () => `${CHECK_BASE}: the port, and whether it should start with https://.`,
]

const BY_SYSTEM_CODE: ReadonlyMap<string, ErrorTexts> = new Map([
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

/** Returns the error for a system code such as `ECONNREFUSED`; `idempotencyKey` is that of a POST, else null. */
export function toConnectionError(
  systemCode: string,
  base: string,
  idempotencyKey: string | null = null,
): ConnectionError {
  const [code, problem, hint] = BY_SYSTEM_CODE.get(systemCode) ?? textsOfFamily(systemCode)
  const url = new URL(base)
  // With any other code, no paycli server can have executed the request.
  const mayBeExecuted = code === 'connection_lost' && idempotencyKey !== null
  const details = mayBeExecuted ? { hint: repeatHint(idempotencyKey), idempotencyKey } : { hint: hint(url) }
  return new ConnectionError(code, base, { problem: problem(url), ...details })
}

function repeatHint(idempotencyKey: string): string {
  return `The request may have been executed. Repeat it with the idempotency key ${idempotencyKey}: it is executed only once.`
}

// Node.js has dozens of codes for TLS errors, and one for each error of the HTTP parser (HPE_…).
function textsOfFamily(systemCode: string): ErrorTexts {
  if (systemCode.startsWith('HPE_')) return NOT_HTTP
  if (/CERT|SSL|TLS|EPROTO|SIGNATURE/.test(systemCode)) {
    return [
      'tls_failed',
      (url) => `No trusted TLS connection to ${url.origin} (${systemCode})`,
      () =>
        'Use http:// for a server without TLS. For a certificate of your own CA, set NODE_EXTRA_CA_CERTS.',
    ]
  }
  return [LOST[0], (url) => `The connection to ${url.origin} failed (${systemCode})`, LOST[2]]
}

/** Returns the error of a call that timed out; `idempotencyKey` is that of a POST, else null. */
export function timeoutError(
  base: string,
  timeoutMs: number,
  idempotencyKey: string | null = null,
): ConnectionError {
  return new ConnectionError('timeout', base, {
    problem: `${new URL(base).origin} did not respond within ${timeoutMs / 1000} s`,
    hint:
      idempotencyKey === null
        ? 'Check the log of the server, and retrieve the object before you repeat a change.'
        : repeatHint(idempotencyKey),
    idempotencyKey,
  })
}

/** Returns the error of a redirect, which the API never sends. */
export function redirectedError(base: string, status: number, location: string | undefined): ConnectionError {
  return new ConnectionError('redirected', base, {
    problem: `${new URL(base).origin} redirects (${status}) to ${location ?? 'nowhere'}, which the API never does`,
    hint: `${CHECK_BASE}: if the target of the redirect is the server, use that address.`,
  })
}

/** Returns the error of a response that is not from paycli; `description` describes the response. */
export function notPaycliError(base: string, status: number, description: string): ConnectionError {
  return new ConnectionError('not_paycli', base, {
    problem: `${new URL(base).origin} responded ${status} with ${description}, so it is not a paycli server`,
    hint: `${CHECK_BASE}, or start a daemon on another port: paycli serve --port 0`,
  })
}
