import { BlockList, isIP } from 'node:net'
import { UsageError } from '../errors/usage-error.ts'

/** Long enough that nobody guesses it: as long as the keys paycli makes itself. */
const LEAST_KEY_CHARACTERS = 32

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')

/** What `serve` says of who may reach it. */
export interface ListenFlags {
  readonly host: string
  readonly isExposed: boolean
  readonly apiKey: string | undefined
  /** Whether it is said where others reach the API, and where the pages. */
  readonly hasApiUrl: boolean
  readonly hasCheckoutUrl: boolean
}

/**
 * Reads the address to listen on. One that other machines reach is refused unless that is asked for by name, with a key
 * nobody guesses and the address others use: only its Host is answered.
 */
export function parseListenHost({ host, isExposed, apiKey, ...urls }: ListenFlags): string {
  const address = host === 'localhost' ? '127.0.0.1' : host.replace(/^\[(.*)\]$/, '$1')
  // A zone, as in fe80::1%eth0, has no place in the addresses that are made of it.
  const family = address.includes('%') ? 0 : isIP(address)
  if (family === 0) {
    throw refused(
      `'${host}' is no IP address to listen on.`,
      'Give 127.0.0.1 or ::1 for this machine alone, or 0.0.0.0 or an own address for others too.',
    )
  }
  if (LOOPBACK.check(address, family === 6 ? 'ipv6' : 'ipv4')) return address
  if (!isExposed) {
    throw refused(
      `At '${host}' other machines could reach this service: whoever knows its key sees and moves everything in it.`,
      'If that is meant, as on a staging machine, add --dangerously-expose.',
    )
  }
  requireStrongKey(apiKey, 'a service that others can reach')
  if (!isWildcard(address)) return address
  requireUrl(urls.hasApiUrl, 'api-url', 'the API, such as http://staging.example:4100')
  requireUrl(urls.hasCheckoutUrl, 'checkout-url', 'the pages, such as http://staging.example:4101')
  return address
}

/** Refuses a key that somebody might guess, for what others can reach; it is not repeated. */
export function requireStrongKey(apiKey: string | undefined, reached: string): void {
  if (apiKey === undefined || apiKey.length >= LEAST_KEY_CHARACTERS) return
  throw refused(
    `The API key has ${apiKey.length} characters, too few for ${reached}.`,
    `Give one of at least ${LEAST_KEY_CHARACTERS}, or leave it out: paycli has made one that nobody guesses.`,
    'api-key',
  )
}

function isWildcard(address: string): boolean {
  return /^[0:.]+$/.test(address.replace(/^::ffff:/i, ''))
}

// Links are built from it, and no other name is answered.
function requireUrl(isThere: boolean, flag: string, what: string): void {
  if (isThere) return
  throw refused(
    `It would listen at every address of this machine, and it is not said at which one others reach ${what}.`,
    `Add --${flag}.`,
    flag,
  )
}

function refused(message: string, hint: string, param = 'host'): UsageError {
  return new UsageError('flag_invalid', message, { param, hint })
}
