/**
 * The headers of every answer of both listeners: no browser guesses a type, no cache keeps it, and no page of another
 * origin loads it. What may be cached sets a `Cache-Control` of its own.
 */
export const SECURITY_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const
