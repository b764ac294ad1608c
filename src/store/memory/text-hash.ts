const FNV_OFFSET = 0x811c9dc5
const FNV_PRIME = 0x01000193
const MIX = 0x85ebca6b

/**
 * Returns the hash of a string as a signed 32-bit integer: FNV-1a over pairs of characters, then mixed, so that all
 * bits can be used. The hash covers all characters, because email addresses often have equal ends, and ids have equal
 * beginnings.
 */
export function hashText(text: string): number {
  let hash = FNV_OFFSET
  for (let at = 1; at < text.length; at += 2) {
    hash = Math.imul(hash ^ text.charCodeAt(at - 1) ^ (text.charCodeAt(at) << 8), FNV_PRIME)
  }
  if (text.length % 2 === 1) hash = Math.imul(hash ^ text.charCodeAt(text.length - 1), FNV_PRIME)
  return Math.imul(hash ^ (hash >>> 16), MIX)
}
