import { type LookupAddress, lookup } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { networkInterfaces } from 'node:os'
import { DomainError } from '../domain/core/domain-error.ts'
import { isLocalhostName, LOOPBACK_ADDRESSES } from '../domain/text/loopback-hosts.ts'

/** The allowed targets of webhooks. */
export interface TargetRules {
  /** Whether only public addresses are allowed; required on a server that other machines can reach. */
  readonly isPublicOnly: boolean
  /** Networks that are allowed despite `isPublicOnly`, such as `10.0.0.0/8`. */
  readonly allowed: readonly string[]
  /** Ports of this server, which are never a target. */
  readonly ownPorts: readonly number[]
  /** The listen address of this server (default: 127.0.0.1). */
  readonly ownHost?: string
}

/** Rejects forbidden addresses: literal addresses before sending, and resolved addresses when connecting. */
export type TargetGuard = ReturnType<typeof createTargetGuard>

/** Thrown instead of connecting to a forbidden address. */
export class BlockedTargetError extends Error {}

/** Metadata services of cloud providers, which return credentials. */
const METADATA_LIST = parseNetworks([
  '169.254.169.254/32',
  // The credential endpoints of Amazon ECS tasks and EKS pods.
  '169.254.170.2/32',
  '169.254.170.23/32',
  '100.100.100.200/32',
  '168.63.129.16/32',
  '192.0.0.192/32',
  'fd00:ec2::254/128',
  'fd00:ec2::23/128',
  'fd20:ce::254/128',
  'fe80::a9fe:a9fe/128',
])
const LOOPBACK = ['127.0.0.0/8', '::1/128', '0.0.0.0/32', '::/128']
/** Special-purpose networks of IANA by their name in error messages. */
const SPECIAL: Readonly<Record<string, readonly string[]>> = {
  loopback: [...LOOPBACK, '0.0.0.0/8'],
  private: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7', 'fec0::/10'],
  'link-local': ['169.254.0.0/16', 'fe80::/10'],
  'carrier-grade NAT': ['100.64.0.0/10'],
  // Networks whose addresses contain an IPv4 address, which may be private.
  NAT64: ['64:ff9b::/96', '64:ff9b:1::/48'],
  '6to4': ['2002::/16'],
  Teredo: ['2001::/32'],
  'IPv4-compatible': ['::/96'],
  'IPv4-translated': ['::ffff:0:0:0/96'],
  multicast: ['224.0.0.0/4', 'ff00::/8'],
  reserved: [
    '192.0.0.0/24',
    '192.88.99.0/24',
    '198.18.0.0/15',
    '240.0.0.0/4',
    '100::/64',
    '100:0:0:1::/64',
    '2001::/23',
  ],
  'segment routing': ['5f00::/16'],
  documentation: ['192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24', '2001:db8::/32', '3fff::/20'],
}
/** Positions of the four bytes of an embedded IPv4 address, by IPv6 network. */
const EMBEDDED_IPV4: readonly (readonly [network: BlockList, ...places: readonly (readonly number[])[]])[] = [
  [parseNetworks(['64:ff9b::/96']), [12, 13, 14, 15]],
  // RFC 8215 allows prefixes of 48, 56, 64 and 96 bits, each with different positions (RFC 6052, 2.2).
  [parseNetworks(['64:ff9b:1::/48']), [6, 7, 9, 10], [7, 9, 10, 11], [9, 10, 11, 12], [12, 13, 14, 15]],
  [parseNetworks(['2002::/16']), [2, 3, 4, 5]],
  [parseNetworks(['::/96']), [12, 13, 14, 15]],
  [parseNetworks(['::ffff:0:0:0/96']), [12, 13, 14, 15]],
]
const ALLOW_HINT = 'Allow it with serve --allow-webhooks-to'

/** Parses the networks of an allow-list; throws a DomainError for an invalid network. */
export function parseNetworks(texts: readonly string[]): BlockList {
  const list = new BlockList()
  for (const text of texts) {
    const [address = '', bits] = text.split('/')
    const family = isIP(address)
    const maxBits = family === 6 ? 128 : 32
    const prefix = bits === undefined ? maxBits : Number(bits)
    if (family === 0 || !/^\d{1,3}$/.test(bits ?? '0') || prefix > maxBits) {
      throw new DomainError(
        'parameter_invalid_string',
        `Invalid network '${text}': expected an address or a network such as 10.0.0.0/8 or fd00::/8.`,
        { param: 'allow_webhooks_to' },
      )
    }
    list.addSubnet(address, prefix, family === 6 ? 'ipv6' : 'ipv4')
  }
  return list
}

// A BlockList compares addresses, so it matches every notation and IPv4-mapped addresses.
const WILDCARDS = parseNetworks(['0.0.0.0', '::'])
const SPECIAL_LISTS = Object.entries(SPECIAL).map(([name, texts]) => [name, parseNetworks(texts)] as const)

/** Creates a guard that enforces the rules. */
export function createTargetGuard({ isPublicOnly, allowed, ownPorts, ownHost = '127.0.0.1' }: TargetRules) {
  const allowList = parseNetworks(allowed)
  const own = parseNetworks([...LOOPBACK, ...listenAddresses(ownHost)])

  function findAddressProblem(address: string, port: number): string | null {
    const reached = [address, ...embeddedIpv4(address)]
    if (reached.some((one) => isListed(METADATA_LIST, one))) {
      return `${address} is the metadata service of a cloud provider. Webhooks never go there.`
    }
    if (ownPorts.includes(port) && reached.some((one) => isListed(own, one))) {
      return `Port ${port} belongs to this server. Use the address of your handler.`
    }
    if (!isPublicOnly || isListed(allowList, address)) return null
    const kind =
      mappedIpv4(address).length > 0
        ? 'mapped IPv4'
        : SPECIAL_LISTS.find(([, list]) => isListed(list, address))?.[0]
    return kind === undefined ? null : `${address} is a ${kind} address. ${ALLOW_HINT} ${address}.`
  }

  /** Returns the reason why a URL is forbidden, or null; does not use DNS. The result for a URL never changes. */
  function findProblem(url: string): string | null {
    const { hostname, protocol, port } = new URL(url)
    const address = hostname.replace(/^\[|\]$/g, '')
    const number = port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
    if (isIP(address) !== 0) return findAddressProblem(address, number)
    return isLocalhostName(hostname) ? findAddressProblem('127.0.0.1', number) : null
  }

  return {
    findProblem,
    /** Throws a DomainError for a forbidden URL. */
    requireAllowed(url: string): void {
      const problem = findProblem(url)
      if (problem !== null) throw new DomainError('webhook_target_blocked', problem, { param: 'url' })
    },
    /** Returns a `lookup` for connections to a port, which fails with `BlockedTargetError` when no address is allowed. */
    lookupFor:
      (port: number): LookupFunction =>
      (hostname, options, callback) => {
        function connectTo(found: readonly LookupAddress[]): void {
          const usable = found.filter(({ address }) => findAddressProblem(address, port) === null)
          const [first] = usable
          if (first === undefined) {
            const problem = findAddressProblem(found[0]?.address ?? '', port)
            callback(new BlockedTargetError(`${hostname} is not allowed: ${problem}`), [])
          } else if (options.all === true) callback(null, usable)
          else callback(null, first.address, first.family)
        }
        if (isLocalhostName(hostname)) connectTo(LOOPBACK_ADDRESSES)
        else
          lookup(hostname, { ...options, all: true }, (error, found) =>
            error ? callback(error, []) : connectTo(found),
          )
      },
  }
}

/** Returns the addresses of a listen host: the host itself, or the addresses of all interfaces for a wildcard. */
function listenAddresses(host: string): string[] {
  if (!isListed(WILDCARDS, host)) return [host, ...mappedIpv4(host)]
  return Object.values(networkInterfaces()).flatMap((found = []) => found.map(({ address }) => address))
}

/** Returns the IPv4 addresses to which a translator or tunnel forwards packets for an IPv6 address. */
function embeddedIpv4(address: string): string[] {
  if (isIP(address) !== 6) return []
  const places = EMBEDDED_IPV4.flatMap(([network, ...places]) => (isListed(network, address) ? places : []))
  if (places.length === 0) return []
  const bytes = parseIpv6(address)
  return places.map((four) => four.map((place) => bytes[place] ?? 0).join('.'))
}

/** Returns the IPv4 address of an IPv4-mapped IPv6 address in any notation; [] for any other address. */
function mappedIpv4(address: string): string[] {
  if (isIP(address) !== 6) return []
  const bytes = parseIpv6(address)
  const isMapped = bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255
  return isMapped ? [bytes.slice(12).join('.')] : []
}

function parseIpv6(address: string): number[] {
  // `URL` normalizes the notation of an address; `URL` does not accept zone ids.
  const { hostname } = new URL(`http://[${address.replace(/%.*/, '')}]`)
  const [before = [], after = []] = hostname.slice(1, -1).split('::').map(parseGroups)
  const between = Array.from({ length: 8 - before.length - after.length }, () => 0)
  return [...before, ...between, ...after].flatMap((group) => [group >> 8, group & 0xff])
}

function parseGroups(text: string): number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))
}

// BlockList checks an IPv4-mapped IPv6 address as the IPv4 address.
function isListed(list: BlockList, address: string): boolean {
  return list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}
