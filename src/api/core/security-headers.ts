/**
 * Headers of every response of both servers: no content sniffing, no caching, no loading from other origins. Cacheable
 * responses override `Cache-Control`.
 */
export const SECURITY_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const
