import { hash } from 'node:crypto'

/** Longer values would exceed the size limit of an index entry. */
const MAX_KEY_CHARACTERS = 256

/** Converts a string to an index key: escapes characters that PostgreSQL does not store, and hashes long strings. */
export function toIndexKey(text: string): string {
  const key = JSON.stringify(text).slice(1, -1)
  // The unescaped quotation mark distinguishes a hash from all other keys.
  return key.length <= MAX_KEY_CHARACTERS ? key : `"${hash('sha256', key, 'hex')}`
}
