import type { Fields } from '../client/fields.ts'
import { sanitizeText } from '../domain/sanitize.ts'

const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|localhost|\[::1\])$/

/** The warning for a service whose addresses lead to other machines without TLS; null for any other. */
export function plainHttpWarning({ api_url, public_api_url, checkout_url }: Fields): string | null {
  const plain = [public_api_url ?? api_url, checkout_url].filter(isPlainElsewhere)
  if (plain.length === 0) return null
  return `Warning: API keys and card forms travel unencrypted to ${plain.map(sanitizeText).join(' and ')}: this is plain HTTP. Put a proxy with TLS in front, and give its https:// addresses with --api-url and --checkout-url.`
}

function isPlainElsewhere(url: unknown): url is string {
  if (typeof url !== 'string' || !URL.canParse(url)) return false
  const { protocol, hostname } = new URL(url)
  return protocol === 'http:' && !LOOPBACK.test(hostname)
}
