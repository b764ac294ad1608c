import { createHash } from 'node:crypto'
import type { Clock } from './clock.ts'
import { createIds, type Ids, type RandomBytes } from './ids.ts'

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** A clock that stands still at a moment in Unix seconds. */
export function createFrozenClock(seconds: number): Clock {
  return { nowMs: () => seconds * 1000 }
}

/**
 * Makers of what only looks random: the same seed gives the same, for tests that compare byte by byte. Each kind of id
 * has a sequence of its own, so that background work, whose moments nobody can foresee, disturbs none of the others.
 */
export function createSeededIds(seed: string): Ids {
  const makers = new Map<string, Ids>()
  const makerFor = (name: string): Ids => {
    const maker = makers.get(name) ?? createIds(seededBytes(`${seed}\n${name}`))
    makers.set(name, maker)
    return maker
  }
  return {
    newId: (prefix) => makerFor(prefix).newId(prefix),
    newApiKey: () => makerFor('api key').newApiKey(),
    newWebhookSecret: () => makerFor('webhook secret').newWebhookSecret(),
    newToken: () => makerFor('token').newToken(),
    random: () => makerFor('jitter').random(),
    // Whoever sends a random key would otherwise make every event another one.
    publicIdempotencyKey: (key) => (UUID.test(key) ? uuidFrom(makerFor('idempotency key').newToken()) : key),
  }
}

// A UUID of version 8, whose bits are for whoever makes it to choose (RFC 9562).
function uuidFrom(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`]
  return [...parts, hex.slice(20, 32)].join('-')
}

// SHA-256 of a seed and a counter, block after block.
function seededBytes(seed: string): RandomBytes {
  let counter = 0
  let rest = Buffer.alloc(0)
  return (count) => {
    while (rest.length < count) {
      const block = createHash('sha256').update(`${seed}\n${counter}`).digest()
      counter += 1
      rest = Buffer.concat([rest, block])
    }
    const bytes = Buffer.from(rest.subarray(0, count))
    rest = rest.subarray(count)
    return bytes
  }
}
