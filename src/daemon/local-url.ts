const WILDCARDS: ReadonlySet<string> = new Set(['0.0.0.0', '[::]', '[::ffff:0:0]'])

/** Returns the URL at which this machine reaches a port on a listen address; 127.0.0.1 for a wildcard address. */
export function toLocalUrl(host: string, port: number): string {
  const named = new URL(`http://${host.includes(':') ? `[${host}]` : host}:${port}`)
  if (WILDCARDS.has(named.hostname)) named.hostname = '127.0.0.1'
  return named.origin
}

/** Returns whether an IP address, in any notation, is a loopback address. */
export function isLoopbackAddress(host: string): boolean {
  const { hostname } = new URL(`http://${host.includes(':') ? `[${host}]` : host}`)
  return hostname === '[::1]' || hostname.startsWith('127.')
}
