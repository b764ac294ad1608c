import { hash } from 'node:crypto'

/** Longer values would not fit into an index. */
const MAX_KEY_CHARACTERS = 256

/** A text as an index keeps it: without the characters that PostgreSQL takes in no text, long ones as their digest. */
export function keyOf(text: string): string {
  const key = JSON.stringify(text).slice(1, -1)
  // No other key has a quotation mark that is not escaped.
  return key.length <= MAX_KEY_CHARACTERS ? key : `"${hash('sha256', key, 'hex')}`
}
