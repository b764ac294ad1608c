import type { Context } from 'koa'
import { ERROR_DEFINITIONS } from '../../api/schema/errors.ts'
import { createRateLimitError, createUnauthenticatedLimitError } from '../../api/schema/http-errors.ts'
import type { DomainError } from '../../domain/core/domain-error.ts'
import { monotonicMs } from '../system/clock.ts'
import { getClientAddress } from './koa-app.ts'

export interface RateLimitResult {
  /** Whole seconds to wait before the next request; null when the request is allowed. */
  readonly retryAfterSeconds: number | null
  /** The number of requests that the client may send without a wait. */
  readonly left: number
  /** The value of the header `RateLimit`, as in the IETF draft of 2025. */
  readonly allowance: string
}

/** A rate limit with one allowance for each client. */
export interface RateLimiter {
  /** Counts a request of a client and returns whether it is allowed. */
  readonly take: (client: string) => RateLimitResult
  /** The headers `RateLimit-Policy` and `RateLimit` of responses to requests that do not count for a client. */
  readonly unusedHeaders: Readonly<Record<string, string>>
}

interface Bucket {
  tokens: number
  filledMs: number
}

const BURST = 2
const PAGE_REQUESTS_PER_SECOND = 20
const UNAUTHENTICATED_REQUESTS_PER_SECOND = 20
const REFERENCE_REQUESTS_PER_SECOND = 20
const MAX_CLIENTS = 10_000
/** The limit of all sandboxes together, as a multiple of the limit of one sandbox. */
const TOTAL_FACTOR = 10
/** The client name under which a total limit counts the requests of all clients. */
const ALL_CLIENTS = ''

/**
 * Creates a rate limiter with a token bucket for each client: `perSecond` requests per second, and twice as many in a
 * burst. Above 10,000 clients, full buckets are removed. An allowed request also counts toward `total`. `take` returns
 * the result of the limiter that has fewer requests left.
 */
export function createRateLimiter(
  perSecond: number,
  monotonicMs: () => number,
  total: RateLimiter | null = null,
): RateLimiter {
  const capacity = perSecond * BURST
  const buckets = new Map<string, Bucket>()
  const policy = `"default";q=${perSecond};w=1`

  const tokensAt = ({ tokens, filledMs }: Bucket, nowMs: number) =>
    Math.min(capacity, tokens + ((nowMs - filledMs) / 1000) * perSecond)

  function refill(client: string, nowMs: number): Bucket {
    const existing = buckets.get(client)
    const bucket = existing ?? { tokens: capacity, filledMs: nowMs }
    bucket.tokens = tokensAt(bucket, nowMs)
    bucket.filledMs = nowMs
    if (existing === undefined) {
      if (buckets.size >= MAX_CLIENTS) removeFullBuckets(nowMs)
      buckets.set(client, bucket)
    }
    return bucket
  }

  function removeFullBuckets(nowMs: number): void {
    for (const [client, bucket] of buckets) if (tokensAt(bucket, nowMs) >= capacity) buckets.delete(client)
  }

  const toAllowance = (tokens: number, seconds: number) => `"default";r=${Math.floor(tokens)};t=${seconds}`

  return {
    take(client) {
      const bucket = refill(client, monotonicMs())
      const isAllowed = bucket.tokens >= 1
      const inAll = isAllowed && total !== null ? total.take(ALL_CLIENTS) : null
      if (inAll?.retryAfterSeconds != null) return inAll
      if (isAllowed) bucket.tokens -= 1
      if (inAll !== null && inAll.left < bucket.tokens) return inAll
      const seconds = Math.max(1, Math.ceil(Math.max(0, 1 - bucket.tokens) / perSecond))
      return {
        retryAfterSeconds: isAllowed ? null : seconds,
        left: bucket.tokens,
        allowance: toAllowance(bucket.tokens, seconds),
      }
    },
    unusedHeaders: { 'RateLimit-Policy': policy, RateLimit: toAllowance(capacity, 1) },
  }
}

/**
 * Creates the rate limiters of a daemon. `perSecond` limits each sandbox, not each key, because a key can create
 * further keys. All sandboxes together may send ten times as many requests. All other limits apply to client addresses.
 */
export function createRateLimiters(perSecond: number | undefined) {
  const limitTo = (rate: number, all: RateLimiter | null = null) => createRateLimiter(rate, monotonicMs, all)
  const isLimited = perSecond !== undefined
  return {
    api: {
      limit: isLimited ? limitTo(perSecond, limitTo(perSecond * TOTAL_FACTOR)) : null,
      unauthenticatedLimit: limitTo(UNAUTHENTICATED_REQUESTS_PER_SECOND),
      referenceLimit: limitTo(REFERENCE_REQUESTS_PER_SECOND),
    },
    pages: { limit: isLimited ? limitTo(PAGE_REQUESTS_PER_SECOND) : null },
  }
}

/** Throws when a request exceeds its rate limit. */
export function enforceRateLimit({ retryAfterSeconds }: RateLimitResult): void {
  if (retryAfterSeconds === null) return
  throw createRateLimitError(retryAfterSeconds)
}

/** Counts a request of a client and sets the header `RateLimit`; throws when the request exceeds the limit. */
export function applyRateLimit(ctx: Context, limiter: RateLimiter | null, client: string): void {
  if (limiter === null) return
  const result = limiter.take(client)
  ctx.res.setHeader('RateLimit', result.allowance)
  enforceRateLimit(result)
}

/**
 * Counts a request without a valid key, host or origin toward the limit of its address. Each such request costs a
 * lookup and a log line. Returns the error to report: `error`, or the limit error.
 */
export function countUnauthenticatedRequest(
  ctx: Context,
  error: DomainError,
  limiter: RateLimiter | null,
): DomainError {
  const isUnauthenticated = ERROR_DEFINITIONS[error.code]?.[0] === 401 || error.code === 'host_not_allowed'
  if (limiter === null || !isUnauthenticated) return error
  const { retryAfterSeconds } = limiter.take(getClientAddress(ctx))
  return retryAfterSeconds === null ? error : createUnauthenticatedLimitError(retryAfterSeconds)
}
