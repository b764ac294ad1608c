import { createHash } from 'node:crypto'
import { type Clock, systemClock } from './system/clock.ts'
import { createIdGenerators, type IdGenerators, type RandomBytes } from './system/ids.ts'

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * Creates a clock that always shows the same time, in Unix seconds. Retries, leases and heartbeats use this time plus
 * the elapsed time, and signatures use the clock of the machine.
 */
export function createFrozenClock(seconds: number, machine: Clock = systemClock): Clock {
  const startedMs = machine.nowMs()
  return {
    nowMs: () => seconds * 1000,
    unfrozenMs: () => seconds * 1000 + Math.max(0, machine.nowMs() - startedMs),
    signatureMs: machine.nowMs,
  }
}

/**
 * Creates generators that derive all ids from a seed, for tests that compare output byte by byte. Each kind of id has
 * its own sequence. Background jobs run at unpredictable times, so they must not change other ids.
 */
export function createSeededIdGenerators(seed: string): IdGenerators {
  const generators = new Map<string, IdGenerators>()
  const generatorFor = (name: string): IdGenerators => {
    const generator = generators.get(name) ?? createIdGenerators(createSeededBytes(`${seed}\n${name}`))
    generators.set(name, generator)
    return generator
  }
  return {
    newId: (prefix) => generatorFor(prefix).newId(prefix),
    newApiKey: (kind) => generatorFor('api key').newApiKey(kind),
    newWebhookSecret: () => generatorFor('webhook secret').newWebhookSecret(),
    newToken: () => generatorFor('token').newToken(),
    random: () => generatorFor('jitter').random(),
    // Random idempotency keys of clients would change the events from run to run.
    publicIdempotencyKey: (key) =>
      UUID.test(key) ? uuidFrom(generatorFor('idempotency key').newToken()) : key,
  }
}

// Returns a version 8 UUID (RFC 9562), which allows custom bits.
function uuidFrom(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`]
  return [...parts, hex.slice(20, 32)].join('-')
}

// Creates a source of bytes: the SHA-256 hashes of the seed and a counter, block by block.
function createSeededBytes(seed: string): RandomBytes {
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
