import { once } from 'node:events'
import { isLocalhostName, lookupLoopback } from '../domain/text/loopback-hosts.ts'

/** Resolves with whether a server accepts TCP connections at the host and port of a URL. */
export async function isAcceptingConnections(url: string): Promise<boolean> {
  const { hostname, port, protocol } = new URL(url)
  const defaultPort = protocol === 'https:' ? 443 : 80
  const net = process.getBuiltinModule('node:net')
  // Remove the brackets that a URL has around an IPv6 address.
  const host = hostname.replace(/^\[|\]$/g, '')
  const target = { host, port: port === '' ? defaultPort : Number(port) }
  const socket = net.connect(isLocalhostName(host) ? { ...target, lookup: lookupLoopback } : target)
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
