import type { Middleware } from 'koa'
import { createAuthenticator } from '../api/core/auth.ts'
import { requireScope } from '../domain/api-keys.ts'
import type { ApiKeyUsage } from '../engine/api-key-usage.ts'
import type { Runtime } from '../engine/runtime.ts'
import { type RateLimiter, rateLimit } from './rate-limit.ts'
import { jsonBody } from './request-body.ts'
import type { KoaRoute, RouteChain } from './routing.ts'

export interface RouteChainOptions {
  readonly runtime: Pick<Runtime, 'store' | 'wallNow'>
  readonly keyUsage: ApiKeyUsage
  /** Limits requests by API key; null disables the limit. */
  readonly limit: RateLimiter | null
}

/** Creates a function that adds to a route the middlewares which it needs: API key, rate limit and body. */
export function createRouteChains(options: RouteChainOptions): (route: KoaRoute) => RouteChain {
  const authenticate = createAuthentication(options)
  const limit = rateLimit(options.limit, (ctx) => ctx.state.apiKey?.id ?? null)
  const readBody = jsonBody()
  return ({ method, path, scope, isUnlimited, handle }) => {
    const guards = scope === undefined ? [] : [authenticate(scope)]
    if (scope !== undefined && isUnlimited !== true) guards.push(limit)
    if (method === 'POST') guards.push(readBody)
    return { method, path, middlewares: [...guards, handle] }
  }
}

function createAuthentication({ runtime, keyUsage }: RouteChainOptions): (scope: string) => Middleware {
  const authenticate = createAuthenticator()
  return (scope) => async (ctx, next) => {
    const { authorization } = ctx.req.headers
    const { key, idempotencyScope } = await authenticate(runtime.store, authorization, runtime.wallNow())
    ctx.state.apiKey = key
    ctx.state.idempotencyScope = idempotencyScope
    keyUsage.record(key)
    requireScope(key, scope)
    return next()
  }
}
