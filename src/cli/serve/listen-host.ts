import { BlockList, isIP } from 'node:net'
import { UsageError } from '../errors/usage-error.ts'

/** The minimum length of keys that cannot be guessed, as long as generated keys. */
const MIN_KEY_CHARACTERS = 32

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')

/** The flags of `serve` that decide which machines can reach the server. */
export interface ListenHostOptions {
  readonly host: string
  readonly isExposed: boolean
  readonly apiKey: string | undefined
  /** Whether the public addresses of the API and of the pages are set. */
  readonly hasApiUrl: boolean
  readonly hasCheckoutUrl: boolean
}

/**
 * Parses the address to listen on. An address that other machines can reach requires --dangerously-expose and a strong
 * key. A wildcard also requires the public URLs, because requests with another Host header are rejected.
 */
export function parseListenHost({ host, isExposed, apiKey, ...urls }: ListenHostOptions): string {
  const address = host === 'localhost' ? '127.0.0.1' : host.replace(/^\[(.*)\]$/, '$1')
  // URLs are built from the address, and cannot contain a zone such as fe80::1%eth0.
  const family = address.includes('%') ? 0 : isIP(address)
  if (family === 0) {
    throw invalidFlag(
      `Invalid --host '${host}': expected an IP address.`,
      'Use 127.0.0.1 or ::1 for this machine only, or 0.0.0.0 or an address of this machine for other machines too.',
    )
  }
  if (LOOPBACK.check(address, family === 6 ? 'ipv6' : 'ipv4')) return address
  if (!isExposed) {
    throw invalidFlag(
      `Other machines can reach '${host}': everybody with the API key could read and change all data.`,
      'If you intend this, as on a staging machine, add --dangerously-expose.',
    )
  }
  requireStrongKey(apiKey, 'a server that others can reach')
  if (!isWildcard(address)) return address
  requireUrl(urls.hasApiUrl, 'api-url', 'API', 'http://staging.example:4100')
  requireUrl(urls.hasCheckoutUrl, 'checkout-url', 'pages', 'http://staging.example:4101')
  return address
}

/**
 * Throws when a key is too short for a server or a database that other machines can reach. The message does not contain
 * the key.
 */
export function requireStrongKey(apiKey: string | undefined, exposed: string): void {
  if (apiKey === undefined || apiKey.length >= MIN_KEY_CHARACTERS) return
  throw invalidFlag(
    `The API key has ${apiKey.length} characters, too few for ${exposed}.`,
    `Use at least ${MIN_KEY_CHARACTERS} characters, or omit the key: paycli has generated a strong key.`,
    'api-key',
  )
}

function isWildcard(address: string): boolean {
  return /^[0:.]+$/.test(address.replace(/^::ffff:/i, ''))
}

// Links are built from this URL, and only its host name is accepted.
function requireUrl(isSet: boolean, flag: string, subject: string, example: string): void {
  if (isSet) return
  throw invalidFlag(
    `Missing flag: --${flag}. The server would listen on all addresses, so the public URL of the ${subject} is unknown.`,
    `Add --${flag} ${example}.`,
    flag,
  )
}

function invalidFlag(message: string, hint: string, param = 'host'): UsageError {
  return new UsageError('flag_invalid', message, { param, hint })
}
