import { isLoopbackHost } from '../domain/text/loopback-hosts.ts'

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
  | 'server_unproven'

interface ConnectionErrorDetails {
  readonly problem: string
  readonly hint: string
  readonly idempotencyKey?: string | null
}

/** Thrown when the server sends no valid response. The message ends with `hint`, the suggested fix. */
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

/** Matches the part of a hint that is for programs, not for the command line. */
export const PROGRAM_ADVICE_PATTERN =
  /(?: --port \d+)?, or run your tests with a server: npx paycli exec -- npm test$/

const DEFAULT_PORT = '4100'
const CHECK_BASE = 'Check --api-base or PAYCLI_API_BASE'

/** Returns the error for a system code such as `ECONNREFUSED`; `idempotencyKey` is the key of a POST, otherwise null. */
export function toConnectionError(
  systemCode: string,
  base: string,
  idempotencyKey: string | null = null,
): ConnectionError {
  const [code, problem, hint] = describeSystemCode(systemCode, new URL(base))
  // Only with the code `connection_lost` can a paycli server have executed the request.
  if (code !== 'connection_lost' || idempotencyKey === null)
    return new ConnectionError(code, base, { problem, hint })
  return new ConnectionError(code, base, { problem, hint: repeatHint(idempotencyKey), idempotencyKey })
}

type ErrorTexts = readonly [code: ConnectionErrorCode, problem: string, hint: string]

function describeSystemCode(systemCode: string, { origin, hostname, port }: URL): ErrorTexts {
  const lostHint = `Try again. If the error persists, another program may use this address: ${CHECK_BASE}.`
  switch (systemCode) {
    case 'ECONNREFUSED':
      if (isLoopbackHost(hostname))
        return [
          'connection_refused',
          `No paycli server at ${origin}`,
          `Start one: npx paycli serve${port === DEFAULT_PORT ? '' : ` --port ${port || 80}`}, or run your tests with a server: npx paycli exec -- npm test`,
        ]
      return [
        'connection_refused',
        `No server listens at ${origin}`,
        `${CHECK_BASE}, and that the server is running.`,
      ]
    case 'ECONNRESET':
    case 'EPIPE':
      return ['connection_lost', `${origin} closed the connection before the end of the response`, lostHint]
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return [
        'host_not_found',
        `Host ${hostname} was not found`,
        `${CHECK_BASE} for a misspelled name, and the network connection.`,
      ]
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'EADDRNOTAVAIL':
    case 'ETIMEDOUT':
      return [
        'host_unreachable',
        `${hostname} cannot be reached`,
        'Check the network connection, any firewall or VPN, and --api-base or PAYCLI_API_BASE.',
      ]
  }
  // Node.js has dozens of codes for TLS errors, and a code for each error of the HTTP parser (HPE_…).
  if (systemCode.startsWith('HPE_')) {
    return [
      'not_paycli',
      `The server at ${origin} does not respond with HTTP`,
      `${CHECK_BASE}: the port, and whether it should start with https://.`,
    ]
  }
  if (/CERT|SSL|TLS|EPROTO|SIGNATURE/.test(systemCode)) {
    return [
      'tls_failed',
      `No trusted TLS connection to ${origin} (${systemCode})`,
      'Use http:// for a server without TLS. For a certificate of your own CA, set NODE_EXTRA_CA_CERTS.',
    ]
  }
  return ['connection_lost', `The connection to ${origin} failed (${systemCode})`, lostHint]
}

function repeatHint(idempotencyKey: string): string {
  return `The request may have been executed. Repeat it with the idempotency key ${idempotencyKey}: it is executed only once.`
}

/** Returns the error of a call that timed out; `idempotencyKey` is the key of a POST, otherwise null. */
export function createTimeoutError(
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
export function createRedirectError(
  base: string,
  status: number,
  location: string | undefined,
): ConnectionError {
  return new ConnectionError('redirected', base, {
    problem: `${new URL(base).origin} redirects (${status}) to ${location ?? 'nowhere'}, which the API never does`,
    hint: `${CHECK_BASE}: if the target of the redirect is the server, use that address.`,
  })
}

/** Returns the error of a response that is not from paycli; `description` describes the response. */
export function createNotPaycliError(base: string, status: number, description: string): ConnectionError {
  return new ConnectionError('not_paycli', base, {
    problem: `${new URL(base).origin} responded ${status} with ${description}, so it is not a paycli server`,
    hint: `${CHECK_BASE}, or start a server on another port: npx paycli serve --port 0`,
  })
}

/** Returns the error for a program that uses the address of a local server but did not prove to be this server. */
export function createUnprovenServerError(base: string, status: number, hasSecret: boolean): ConnectionError {
  const { origin } = new URL(base)
  const reason = hasSecret
    ? `it responded ${status} without the proof that it knows the secret in daemon.json`
    : `it responded ${status}, and no daemon.json with a secret of this server was found`
  return new ConnectionError('server_unproven', base, {
    problem: `The program at ${origin} did not prove that it is your paycli server: ${reason}. No API key was sent`,
    hint: 'Start your server again: npx paycli serve. To use the program at this address, such as a server of another PAYCLI_HOME, set both --api-base and --api-key.',
  })
}
