import { createHmac, randomBytes } from 'node:crypto'
import { API_KEY_PREFIXES, type ApiKey } from '../domain/api-keys.ts'
import type { IdPrefix } from '../domain/changes.ts'
import { createWebhookSecret } from '../webhooks/sign.ts'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
// Bytes from here on would favour the first letters of the alphabet.
const FIRST_BIASED_BYTE = 256 - (256 % ALPHABET.length)
const ID_CHARACTERS = 24
const KEY_CHARACTERS = 32
const FINGERPRINT_CHARACTERS = 16
const POOL_BYTES = 8192
const ALPHABET_BYTES = Buffer.from(ALPHABET)
const LETTERS = Buffer.alloc(Math.max(ID_CHARACTERS, KEY_CHARACTERS))

/** Where randomness comes from; tests put a seeded one in its place. What it gives is read before the next call. */
export type RandomBytes = (count: number) => Buffer

/** Makers of everything random. */
export interface Ids {
  readonly newId: (prefix: IdPrefix) => string
  readonly newApiKey: (kind?: ApiKey['kind']) => string
  /** `whsec_` and 24 random bytes in base64, as Standard Webhooks has it. */
  readonly newWebhookSecret: () => string
  /** Unguessable text for salts, keys, nonces and temporary file names. */
  readonly newToken: () => string
  /** A number from 0 to 1, for jitter. */
  readonly random: () => number
  /** What events say of the idempotency key of a request: the key itself, unless its randomness is to be replaced. */
  readonly publicIdempotencyKey: (key: string) => string
}

/** Makers over a source of random bytes, the system's unless given. */
export function createIds(source: RandomBytes = createPool(randomBytes)): Ids {
  return {
    newId: (prefix) => prefix + base62(ID_CHARACTERS, source),
    newApiKey: (kind = 'secret') => API_KEY_PREFIXES[kind] + base62(KEY_CHARACTERS, source),
    newWebhookSecret: () => createWebhookSecret(source),
    newToken: () => base62(ID_CHARACTERS, source),
    random: () => source(4).readUInt32BE() / 2 ** 32,
    publicIdempotencyKey: (key) => key,
  }
}

// Asking the system costs the same for a few bytes as for thousands; bytes are handed out once and wiped behind.
function createPool(fill: RandomBytes): RandomBytes {
  let pool: Buffer = Buffer.alloc(0)
  let used = 0
  let given: Buffer = Buffer.alloc(0)
  return (count) => {
    if (used + count > pool.length) {
      pool = fill(Math.max(POOL_BYTES, count))
      used = 0
    }
    if (given.length !== count) given = Buffer.alloc(count)
    for (let at = 0; at < count; at += 1) {
      given[at] = pool[used + at] ?? 0
      pool[used + at] = 0
    }
    used += count
    return given
  }
}

/** Tells equal card numbers apart from others without keeping them: 16 characters of a keyed hash. */
export function createFingerprint(salt: string): (cardNumber: string) => string {
  return (cardNumber) => {
    const digest = createHmac('sha256', salt).update(cardNumber).digest()
    return [...digest]
      .slice(0, FINGERPRINT_CHARACTERS)
      .map((byte) => ALPHABET[byte % ALPHABET.length])
      .join('')
  }
}

// Letters are put down as bytes: a text that grows by single letters is put together anew by whoever reads it.
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
