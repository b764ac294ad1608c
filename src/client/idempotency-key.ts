/**
 * Returns a random UUID of version 4 (RFC 9562). The key is not a secret, so `Math.random` is enough; loading
 * node:crypto would take as long as the request itself. The two letters keep groups of digits apart, which otherwise look
 * like a card number in one of 100,000 keys.
 */
export function newIdempotencyKey(): string {
  return '00000000-a000-4000-8000-a00000000000'.replace(/[08]/g, (digit) => {
    // The digit 8 becomes a digit with the two bits of the variant and two random bits.
    const random = Math.floor(Math.random() * 16)
    return (digit === '0' ? random : 8 + (random % 4)).toString(16)
  })
}
