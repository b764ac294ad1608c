const LOCALHOST = /^(?:.+\.)?localhost\.?$/i
const LOOPBACK_ADDRESS = /^(?:127(?:\.\d{1,3}){3}|\[?::1\]?)$/

/** The loopback addresses in the order in which connections try them. */
export const LOOPBACK_ADDRESSES = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
] as const

/** Returns whether a host name always means this machine: `localhost` and the names below it (RFC 6761, 6.3). */
export function isLocalhostName(hostname: string): boolean {
  return LOCALHOST.test(hostname)
}

/** Returns whether a host, in the form of `URL.hostname`, is this machine's loopback interface. */
export function isLoopbackHost(hostname: string): boolean {
  return isLocalhostName(hostname) || LOOPBACK_ADDRESS.test(hostname)
}

type Address = (typeof LOOPBACK_ADDRESSES)[number]

/**
 * Resolves a name of localhost to the loopback addresses, because many resolvers do not know such names. The function
 * has the signature of the `lookup` option of connections.
 */
export function lookupLoopback(
  _hostname: string,
  { all }: { readonly all?: boolean | undefined },
  callback: (error: null, address: string | Address[], family?: number) => void,
): void {
  const [first] = LOOPBACK_ADDRESSES
  if (all === true) callback(null, [...LOOPBACK_ADDRESSES])
  else callback(null, first.address, first.family)
}
