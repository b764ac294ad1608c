/**
 * Returns a random UUID of version 4 (RFC 9562). It is not a secret, so `Math.random` is enough; loading node:crypto would
 * take as long as the request itself.
 */
export function newIdempotencyKey(): string {
  const hex = Array.from({ length: 4 }, () =>
    Math.floor(Math.random() * 2 ** 32)
      .toString(16)
      .padStart(8, '0'),
  ).join('')
  const variant = (8 + (Number.parseInt(hex.charAt(16), 16) % 4)).toString(16)
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20),
  ].join('-')
}
