import { createHmac, randomBytes } from 'node:crypto'
import type { IdPrefix } from '../../domain/core/changes.ts'
import { API_KEY_PREFIXES, type ApiKey } from '../../domain/sandboxes/api-keys.ts'
import { createWebhookSecret } from '../../webhooks/sign.ts'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
// Bytes from this value on are discarded: their remainder would favor the first characters of the alphabet.
const FIRST_BIASED_BYTE = 256 - (256 % ALPHABET.length)
const ID_CHARACTERS = 24
const KEY_CHARACTERS = 32
const FINGERPRINT_CHARACTERS = 16
const POOL_BYTES = 8192
const ALPHABET_BYTES = Buffer.from(ALPHABET)
const LETTERS = Buffer.alloc(Math.max(ID_CHARACTERS, KEY_CHARACTERS))

/**
 * A source of random bytes; tests use a seeded source. The next call may overwrite the buffer that the previous call
 * returned.
 */
export type RandomBytes = (count: number) => Buffer

/** Generators of all random values. */
export type IdGenerators = ReturnType<typeof createIdGenerators>

/** Creates generators from a source of random bytes (default: the system). */
export function createIdGenerators(source: RandomBytes = createRandomPool(randomBytes)) {
  return {
    newId: (prefix: IdPrefix) => prefix + base62(ID_CHARACTERS, source),
    newApiKey: (kind: ApiKey['kind'] = 'secret') => API_KEY_PREFIXES[kind] + base62(KEY_CHARACTERS, source),
    /** Returns `whsec_` and 24 random bytes in base64, as in Standard Webhooks. */
    newWebhookSecret: () => createWebhookSecret(source),
    /** Returns an unpredictable string for salts, keys, nonces and temporary file names. */
    newToken: () => base62(ID_CHARACTERS, source),
    /** Returns a random number from 0 to less than 1, for jitter. */
    random: () => source(4).readUInt32BE() / 2 ** 32,
    /** Returns the idempotency key that events show: the key itself, or a seeded key in deterministic mode. */
    publicIdempotencyKey: (key: string) => key,
  }
}

// A system call costs the same for a few bytes as for thousands. Used bytes are overwritten in the pool.
function createRandomPool(fill: RandomBytes): RandomBytes {
  let pool: Buffer = Buffer.alloc(0)
  let used = 0
  let result: Buffer = Buffer.alloc(0)
  return (count) => {
    if (used + count > pool.length) {
      pool = fill(Math.max(POOL_BYTES, count))
      used = 0
    }
    if (result.length !== count) result = Buffer.alloc(count)
    for (let at = 0; at < count; at += 1) {
      result[at] = pool[used + at] ?? 0
      pool[used + at] = 0
    }
    used += count
    return result
  }
}

/**
 * Creates a function that returns a fingerprint of a card number: 16 characters of a keyed hash, which do not reveal
 * the number.
 */
export function createCardFingerprinter(salt: string): (cardNumber: string) => string {
  return (cardNumber) => {
    const digest = createHmac('sha256', salt).update(cardNumber).digest()
    return [...digest]
      .slice(0, FINGERPRINT_CHARACTERS)
      .map((byte) => ALPHABET[byte % ALPHABET.length])
      .join('')
  }
}

// Writes into a buffer: repeated string concatenation would create a rope that each reader must flatten.
function base62(length: number, source: RandomBytes): string {
  let count = 0
  while (count < length) {
    for (const byte of source(length)) {
      if (byte >= FIRST_BIASED_BYTE || count === length) continue
      LETTERS[count] = ALPHABET_BYTES[byte % ALPHABET.length] ?? 0
      count += 1
    }
  }
  return LETTERS.toString('latin1', 0, length)
}
