import type { Context } from 'koa'
import { tooSoon } from '../api/schema/wire-refusals.ts'

/** What a request may do, and what its answer tells of it. */
export interface Allowance {
  /** Whole seconds to wait, null when the request may go on. */
  readonly retryAfterSeconds: number | null
  /** `RateLimit` and `RateLimit-Policy`, as the IETF draft of 2025 writes them. */
  readonly headers: Readonly<Record<string, string>>
}

/** How often callers may ask. */
export interface RateLimit {
  /** Counts one request of a caller, and says whether it may go on. */
  readonly take: (caller: string) => Allowance
  /** What the answer to a request tells that counts for nobody. */
  readonly whole: Allowance['headers']
}

interface Bucket {
  tokens: number
  filledMs: number
}

const BURST = 2
const VISITS_PER_SECOND = 20
const UNAUTHENTICATED_PER_SECOND = 20
const REFERENCES_PER_SECOND = 20
const MAX_CALLERS = 10_000

/**
 * A token bucket for each caller: `perSecond` requests per second, and twice as many in a burst. Callers that have been
 * quiet long enough to have their whole burst again are forgotten.
 */
export function createRateLimit(options: {
  readonly perSecond: number
  /** Milliseconds of a clock that never goes back. */
  readonly monotonicMs: () => number
}): RateLimit {
  const { perSecond, monotonicMs } = options
  const capacity = perSecond * BURST
  const buckets = new Map<string, Bucket>()
  const policy = `"default";q=${perSecond};w=1`

  function filled(caller: string, nowMs: number): Bucket {
    const known = buckets.get(caller)
    const bucket = known ?? { tokens: capacity, filledMs: nowMs }
    bucket.tokens = Math.min(capacity, bucket.tokens + ((nowMs - bucket.filledMs) / 1000) * perSecond)
    bucket.filledMs = nowMs
    if (known === undefined) {
      if (buckets.size >= MAX_CALLERS) forgetQuiet(nowMs)
      buckets.set(caller, bucket)
    }
    return bucket
  }

  function forgetQuiet(nowMs: number): void {
    for (const [caller, { tokens, filledMs }] of buckets) {
      if (tokens + ((nowMs - filledMs) / 1000) * perSecond >= capacity) buckets.delete(caller)
    }
  }

  const headersOf = (tokens: number, seconds: number) => ({
    'RateLimit-Policy': policy,
    RateLimit: `"default";r=${Math.floor(tokens)};t=${seconds}`,
  })

  return {
    take(caller) {
      const bucket = filled(caller, monotonicMs())
      const isAllowed = bucket.tokens >= 1
      if (isAllowed) bucket.tokens -= 1
      const seconds = Math.max(1, Math.ceil(Math.max(0, 1 - bucket.tokens) / perSecond))
      return { retryAfterSeconds: isAllowed ? null : seconds, headers: headersOf(bucket.tokens, seconds) }
    },
    whole: headersOf(capacity, 1),
  }
}

/** The limits of a daemon. */
export interface RateLimits {
  readonly api: {
    /** Of each key; null unless the daemon was given a limit. */
    readonly limit: RateLimit | null
    /** Of each address whose requests are refused for their key, host or origin. */
    readonly unauthenticatedLimit: RateLimit
    /** Of each address that asks for the reference. */
    readonly referenceLimit: RateLimit
  }
  /** Of each address; null unless the daemon was given a limit. */
  readonly pages: { readonly limit: RateLimit | null }
}

/** Creates the limits of a daemon; `perSecond` is that of each key. */
export function createRateLimits(perSecond: number | undefined): RateLimits {
  const monotonicMs = () => performance.now()
  const limitTo = (rate: number) => createRateLimit({ perSecond: rate, monotonicMs })
  const isLimited = perSecond !== undefined
  return {
    api: {
      limit: isLimited ? limitTo(perSecond) : null,
      unauthenticatedLimit: limitTo(UNAUTHENTICATED_PER_SECOND),
      referenceLimit: limitTo(REFERENCES_PER_SECOND),
    },
    pages: { limit: isLimited ? limitTo(VISITS_PER_SECOND) : null },
  }
}

/** Refuses a request that came too soon. */
export function checkAllowance({ retryAfterSeconds }: Allowance): void {
  if (retryAfterSeconds === null) return
  throw tooSoon(retryAfterSeconds)
}

/** Refuses a request that came too soon, and has its answer tell how many are left. */
export function checkRate({ state }: Pick<Context, 'state'>, allowance: Allowance): void {
  state.allowance = allowance.headers
  checkAllowance(allowance)
}
