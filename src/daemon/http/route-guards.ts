import type { Context } from 'koa'
import { DomainError } from '../../domain/core/domain-error.ts'
import { requireScope } from '../../domain/sandboxes/api-keys.ts'
import { DEFAULT_SANDBOX } from '../../domain/sandboxes/sandboxes.ts'
import type { OpenSandbox } from '../sandboxes/open-sandbox.ts'
import type { SandboxRegistry } from '../sandboxes/sandbox-registry.ts'
import { applyRateLimit, type RateLimiter } from './rate-limit.ts'
import { createBodyReader } from './request-body.ts'
import type { KoaRoute } from './routing.ts'

/**
 * The path prefix of requests that are not counted: a reset or a deletion waits for all counted requests of a sandbox.
 */
const SANDBOXES_PATH = '/v1/sandboxes'

/**
 * Creates a function that adds the checks of API key, rate limit and body that a route needs. A `limit` of null
 * disables the rate limit.
 */
export function createRouteGuards(
  sandboxes: Pick<SandboxRegistry, 'opened' | 'find'>,
  limit: RateLimiter | null,
): (route: KoaRoute) => KoaRoute {
  const readBody = createBodyReader()
  return (route) => {
    const { method, path, scope, isUnlimited, handle } = route
    const isCounted = !path.startsWith(SANDBOXES_PATH)

    async function serve(ctx: Context): Promise<void> {
      if (method === 'POST') await readBody(ctx)
      await handle(ctx)
    }

    async function serveInSandbox(ctx: Context, sandbox: OpenSandbox, scope: string): Promise<void> {
      if (isCounted) sandbox.requests.enter()
      try {
        await authenticate(ctx, sandbox, scope)
        if (isUnlimited !== true) applyRateLimit(ctx, limit, sandbox.id)
        await serve(ctx)
      } catch (error) {
        // The store of the sandbox was closed, because the request took longer than a reset or a deletion waits.
        if (sandbox.jobs.isStopped() && !(error instanceof DomainError)) throw sandboxClosedError()
        throw error
      } finally {
        if (isCounted) sandbox.requests.leave()
      }
    }

    return {
      ...route,
      // One function handles a request, because @koa/router composes the middlewares of a route for each request.
      async handle(ctx) {
        if (scope === undefined) return serve(ctx)
        const { sandboxId = DEFAULT_SANDBOX } = ctx.state
        const sandbox = sandboxes.opened(sandboxId) ?? (await sandboxes.find(sandboxId))
        return serveInSandbox(ctx, sandbox, scope)
      },
    }
  }
}

async function authenticate(ctx: Context, sandbox: OpenSandbox, scope: string): Promise<void> {
  const { runtime, keyUsage, jobs } = sandbox
  const { authorization } = ctx.req.headers
  const found = await sandbox.authenticate(runtime.store, authorization, runtime.wallNow())
  const { key, idempotencyScope } = found
  ctx.state.sandbox = sandbox
  ctx.state.apiKey = key
  ctx.state.idempotencyScope = idempotencyScope
  keyUsage.record(key)
  // The next round of jobs stores the last use of the key.
  jobs.requireRound()
  requireScope(key, scope)
}

function sandboxClosedError(): DomainError {
  const message = 'The sandbox was reset or deleted during the request. Send the request again.'
  return new DomainError('unavailable', message, { retryAfterSeconds: 1 })
}
