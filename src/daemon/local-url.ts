const WILDCARDS: ReadonlySet<string> = new Set(['0.0.0.0', '[::]', '[::ffff:0:0]'])

/** Where this machine reaches a listener of its own; one that listens everywhere is reached at the usual place. */
export function localUrl(host: string, port: number): string {
  const named = new URL(`http://${host.includes(':') ? `[${host}]` : host}:${port}`)
  if (WILDCARDS.has(named.hostname)) named.hostname = '127.0.0.1'
  return named.origin
}

/** Whether a listener at an IP address, in any spelling, answers this machine alone. */
export function isOnlyLocal(host: string): boolean {
  const { hostname } = new URL(`http://${host.includes(':') ? `[${host}]` : host}`)
  return hostname === '[::1]' || hostname.startsWith('127.')
}
