import type { Context } from 'koa'
import { createAuthenticator } from '../../api/core/auth.ts'
import { requireScope } from '../../domain/api-keys.ts'
import type { ApiKeyUsage } from '../../engine/api-key-usage.ts'
import type { Runtime } from '../../engine/runtime.ts'
import { limitRate, type RateLimiter } from './rate-limit.ts'
import { createBodyReader } from './request-body.ts'
import type { KoaRoute, RouteChain } from './routing.ts'

export interface RouteChainOptions {
  readonly runtime: Pick<Runtime, 'store' | 'wallNow'>
  readonly keyUsage: ApiKeyUsage
  /** Limits requests by API key; null disables the limit. */
  readonly limit: RateLimiter | null
}

/** Creates a function that adds to a route the checks which it needs: API key, rate limit and body. */
export function createRouteChains(options: RouteChainOptions): (route: KoaRoute) => RouteChain {
  const authenticate = createAuthentication(options)
  const readBody = createBodyReader()
  return ({ method, path, scope, isUnlimited, handle }) => ({
    method,
    path,
    // One middleware, because @koa/router composes the middlewares of a route anew for each request.
    async middleware(ctx) {
      if (scope !== undefined) {
        const { id } = await authenticate(ctx, scope)
        if (isUnlimited !== true) limitRate(ctx, options.limit, id)
      }
      if (method === 'POST') await readBody(ctx)
      await handle(ctx)
    },
  })
}

function createAuthentication({ runtime, keyUsage }: RouteChainOptions) {
  const authenticate = createAuthenticator()
  return async (ctx: Context, scope: string) => {
    const { authorization } = ctx.req.headers
    const { key, idempotencyScope } = await authenticate(runtime.store, authorization, runtime.wallNow())
    ctx.state.apiKey = key
    ctx.state.idempotencyScope = idempotencyScope
    keyUsage.record(key)
    requireScope(key, scope)
    return key
  }
}
