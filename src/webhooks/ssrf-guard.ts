import { lookup } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { networkInterfaces } from 'node:os'
import { DomainError } from '../domain/domain-error.ts'

/** Where webhooks may go. */
export interface TargetRules {
  /** Whether only public addresses are allowed, as a service that others can reach must have it. */
  readonly isPublicOnly: boolean
  /** Addresses allowed in spite of that, such as `10.0.0.0/8`. */
  readonly allowed: readonly string[]
  /** Ports of this machine that are this service's own, and never a receiver. */
  readonly ownPorts: readonly number[]
  /** The address it listens on; only this machine's own unless given. */
  readonly ownHost?: string
}

/** Says no to addresses: before anything is sent to a literal one, and to what a name resolves to when connecting. */
export interface TargetGuard {
  /** Why nothing may be sent to a URL, as far as its text tells, or null. */
  readonly problemOf: (url: string) => string | null
  /** Refuses such a URL. */
  readonly require: (url: string) => void
  /** A `lookup` for connections to a port, which fails with `BlockedTarget` when no address is allowed. */
  readonly lookupFor: (port: number) => LookupFunction
}

/** The reason no connection was made: the address may not be a receiver. */
export class BlockedTarget extends Error {}

/** Where clouds tell a machine or a container its credentials. */
const METADATA = [
  '169.254.169.254/32',
  // Amazon ECS tasks and EKS pods.
  '169.254.170.2/32',
  '169.254.170.23/32',
  '100.100.100.200/32',
  '168.63.129.16/32',
  '192.0.0.192/32',
  'fd00:ec2::254/128',
  'fd00:ec2::23/128',
  'fd20:ce::254/128',
  'fe80::a9fe:a9fe/128',
]
const LOOPBACK = ['127.0.0.0/8', '::1/128', '0.0.0.0/32', '::/128']
/** What IANA keeps for special purposes, by the name told of it. */
const SPECIAL: Readonly<Record<string, readonly string[]>> = {
  loopback: [...LOOPBACK, '0.0.0.0/8'],
  private: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7', 'fec0::/10'],
  'link-local': ['169.254.0.0/16', 'fe80::/10'],
  'carrier-grade NAT': ['100.64.0.0/10'],
  // These carry an IPv4 address inside, which may be a private one.
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
/** The bytes of an address at which others carry an IPv4 one to which they lead, by network. */
const CARRYING: readonly (readonly [networks: string, ...places: readonly (readonly number[])[]])[] = [
  ['64:ff9b::/96', [12, 13, 14, 15]],
  // Prefixes of 48, 56, 64 and 96 bits may be chosen inside it (RFC 8215), each with its own places (RFC 6052, 2.2).
  ['64:ff9b:1::/48', [6, 7, 9, 10], [7, 9, 10, 11], [9, 10, 11, 12], [12, 13, 14, 15]],
  ['2002::/16', [2, 3, 4, 5]],
  ['::/96', [12, 13, 14, 15]],
  ['::ffff:0:0:0/96', [12, 13, 14, 15]],
]
const MAX_KNOWN_URLS = 1000
const SETTING = 'Allow it with serve --allow-webhooks-to'

/** Reads the networks of an allow-list; refuses what is none. */
export function parseNetworks(texts: readonly string[]): BlockList {
  const list = new BlockList()
  for (const text of texts) {
    const [address = '', bits] = text.split('/')
    const family = isIP(address)
    const most = family === 6 ? 128 : 32
    const prefix = bits === undefined ? most : Number(bits)
    if (family === 0 || !/^\d{1,3}$/.test(bits ?? '0') || prefix > most) {
      throw new DomainError(
        'parameter_invalid_string',
        `'${text}' is no network. Give an address, or a network such as 10.0.0.0/8 or fd00::/8.`,
        { param: 'allow_webhooks_to' },
      )
    }
    list.addSubnet(address, prefix, family === 6 ? 'ipv6' : 'ipv4')
  }
  return list
}

/** Also in any other spelling, and mapped: a list compares addresses, not texts. */
const WILDCARDS = parseNetworks(['0.0.0.0', '::'])
const METADATA_LIST = parseNetworks(METADATA)
const CARRYING_LISTS = CARRYING.map(([text, ...places]) => ({ list: parseNetworks([text]), places }))
const SPECIAL_LISTS = Object.entries(SPECIAL).map(([name, texts]) => [name, parseNetworks(texts)] as const)

/** The guard that holds to some rules. */
export function createTargetGuard({
  isPublicOnly,
  allowed,
  ownPorts,
  ownHost = '127.0.0.1',
}: TargetRules): TargetGuard {
  const allowList = parseNetworks(allowed)
  const own = parseNetworks([...LOOPBACK, ...addressesOf(ownHost)])

  function addressProblem(address: string, port: number): string | null {
    const reached = [address, ...carriedBy(address)]
    if (reached.some((one) => isIn(METADATA_LIST, one))) {
      return `${address} tells the secrets of a machine in the cloud, and never gets webhooks.`
    }
    if (ownPorts.includes(port) && reached.some((one) => isIn(own, one))) {
      return `Port ${port} here is this service's own. Give the address of your handler.`
    }
    if (!isPublicOnly || isIn(allowList, address)) return null
    const kind =
      mappedBy(address).length > 0
        ? 'mapped IPv4'
        : SPECIAL_LISTS.find(([, list]) => isIn(list, address))?.[0]
    return kind === undefined ? null : `${address} is a ${kind} address. ${SETTING} ${address}.`
  }

  // The same few URLs are asked about for every delivery, and the rules stay as they are.
  const known = new Map<string, string | null>()

  function problemOf(url: string): string | null {
    const kept = known.get(url)
    if (kept !== undefined) return kept
    if (known.size >= MAX_KNOWN_URLS) known.clear()
    const problem = findProblem(url)
    known.set(url, problem)
    return problem
  }

  function findProblem(url: string): string | null {
    const { hostname, protocol, port } = new URL(url)
    const address = hostname.replace(/^\[|\]$/g, '')
    const number = port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
    if (isIP(address) !== 0) return addressProblem(address, number)
    // The one name that resolves without being asked.
    return /^(?:.+\.)?localhost\.?$/.test(hostname) ? addressProblem('127.0.0.1', number) : null
  }

  return {
    problemOf,
    require(url) {
      const problem = problemOf(url)
      if (problem !== null) throw new DomainError('webhook_target_blocked', problem, { param: 'url' })
    },
    lookupFor: (port) => (hostname, options, callback) => {
      lookup(hostname, { ...options, all: true }, (error, found) => {
        if (error) return callback(error, [])
        const usable = found.filter(({ address }) => addressProblem(address, port) === null)
        const [first] = usable
        if (first === undefined) {
          const problem = addressProblem(found[0]?.address ?? '', port)
          return callback(new BlockedTarget(`${hostname} is not allowed: ${problem}`), [])
        }
        return options.all === true ? callback(null, usable) : callback(null, first.address, first.family)
      })
    },
  }
}

/** The addresses at which a service is reached that listens on one, or on all. */
function addressesOf(host: string): string[] {
  if (!isIn(WILDCARDS, host)) return [host, ...mappedBy(host)]
  return Object.values(networkInterfaces()).flatMap((found = []) => found.map(({ address }) => address))
}

/** The IPv4 addresses to which a translator or tunnel would take what is sent to an address. */
function carriedBy(address: string): string[] {
  if (isIP(address) !== 6) return []
  const places = CARRYING_LISTS.flatMap(({ list, places }) => (isIn(list, address) ? places : []))
  if (places.length === 0) return []
  const bytes = bytesOf(address)
  return places.map((four) => four.map((place) => bytes[place] ?? 0).join('.'))
}

/** The IPv4 address that an IPv4-mapped IPv6 address stands for, in any spelling. */
function mappedBy(address: string): string[] {
  if (isIP(address) !== 6) return []
  const bytes = bytesOf(address)
  const isMapped = bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255
  return isMapped ? [bytes.slice(12).join('.')] : []
}

function bytesOf(address: string): number[] {
  // A URL writes an address in one way only, and knows no zones.
  const { hostname } = new URL(`http://[${address.replace(/%.*/, '')}]`)
  const [before = [], after = []] = hostname.slice(1, -1).split('::').map(groupsOf)
  const between = Array.from({ length: 8 - before.length - after.length }, () => 0)
  return [...before, ...between, ...after].flatMap((group) => [group >> 8, group & 0xff])
}

function groupsOf(text: string): number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))
}

// An IPv4 address inside an IPv6 one is checked as the address it is, in whatever form it is written.
function isIn(list: BlockList, address: string): boolean {
  return list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}
