import type { Fields } from '../../client/fields.ts'
import { sanitizeText } from '../../domain/sanitize.ts'

const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|localhost|\[::1\])$/

/**
 * Returns the warning for a service whose addresses lead to other machines without TLS, given the host that it listens
 * on; null for any other.
 */
export function plainHttpWarning(
  { api_url, public_api_url, checkout_url }: Fields,
  host: string,
): string | null {
  const urls = [public_api_url ?? reachedAt(api_url, host), reachedAt(checkout_url, host)]
  const plain = urls.filter(isPlainElsewhere)
  if (plain.length === 0) return null
  return `Warning: API keys and card forms travel unencrypted to ${plain.map(sanitizeText).join(' and ')}: this is plain HTTP. Put a proxy with TLS in front, and give its https:// addresses with --api-url and --checkout-url.`
}

// A service that listens to other machines still names its local address where nobody gave another one.
function reachedAt(url: unknown, host: string): unknown {
  const name = host.includes(':') ? `[${host}]` : host
  if (LOOPBACK.test(name) || typeof url !== 'string' || !URL.canParse(url)) return url
  const { hostname, protocol, port } = new URL(url)
  return LOOPBACK.test(hostname) ? `${protocol}//${name}:${port}` : url
}

function isPlainElsewhere(url: unknown): url is string {
  if (typeof url !== 'string' || !URL.canParse(url)) return false
  const { protocol, hostname } = new URL(url)
  return protocol === 'http:' && !LOOPBACK.test(hostname)
}
