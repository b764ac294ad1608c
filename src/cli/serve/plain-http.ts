import { isLoopbackHost } from '../../domain/text/loopback-hosts.ts'
import type { StartedServer } from './started-server.ts'

/**
 * Returns a warning if other machines reach the server without TLS, or null. `host` is the address on which the server
 * listens.
 */
export function formatPlainHttpWarning(
  {
    api_url,
    public_api_url,
    checkout_url,
  }: Pick<StartedServer, 'api_url' | 'public_api_url' | 'checkout_url'>,
  host: string,
): string | null {
  const urls = [public_api_url ?? toExposedUrl(api_url, host), toExposedUrl(checkout_url, host)]
  const plain = urls.filter(isRemotePlainHttp)
  if (plain.length === 0) return null
  return `Warning: API keys and card data are sent unencrypted to ${plain.join(' and ')}: this is plain HTTP. Use a proxy with TLS, and set its https:// addresses with --api-url and --checkout-url.`
}

// A server that listens on other addresses still reports its local URL when no public URL is set.
function toExposedUrl(url: string, host: string): string {
  const name = host.includes(':') ? `[${host}]` : host
  const { hostname, protocol, port } = new URL(url)
  return isLoopbackHost(hostname) && !isLoopbackHost(name) ? `${protocol}//${name}:${port}` : url
}

function isRemotePlainHttp(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol === 'http:' && !isLoopbackHost(hostname)
}
