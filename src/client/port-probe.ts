import { isLocalhostName, lookupLoopback } from '../domain/text/loopback-hosts.ts'

/** Resolves with whether a server accepts TCP connections at the host and port of a URL. */
export function isAcceptingConnections(url: string): Promise<boolean> {
  const { hostname, port, protocol } = new URL(url)
  const defaultPort = protocol === 'https:' ? 443 : 80
  const net = process.getBuiltinModule('node:net')
  return new Promise((resolve) => {
    // The URL has brackets around an IPv6 address.
    const host = hostname.replace(/^\[|\]$/g, '')
    const target = { host, port: port === '' ? defaultPort : Number(port) }
    const socket = net.connect(isLocalhostName(host) ? { ...target, lookup: lookupLoopback } : target)
    const end = (isOpen: boolean) => {
      socket.destroy()
      resolve(isOpen)
    }
    socket.once('connect', () => end(true))
    socket.once('error', () => end(false))
  })
}
