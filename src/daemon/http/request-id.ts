import type { Middleware } from 'koa'
import { sandboxOfKey } from '../../domain/sandboxes/api-keys.ts'
import type { SandboxRegistry } from '../sandboxes/sandbox-registry.ts'

/**
 * Creates the middleware that gives each request an id from the generator of the sandbox that its API key names. It
 * also sets the standard headers of the response in `ctx.state`: the id and `headers`.
 */
export function createRequestIdMiddleware(
  sandboxes: Pick<SandboxRegistry, 'newRequestId'>,
  headers: Readonly<Record<string, string>>,
): Middleware {
  const fixed = Object.entries(headers).flat()
  return (ctx, next) => {
    const { authorization = '' } = ctx.req.headers
    const sandbox = sandboxOfKey(authorization.slice(authorization.lastIndexOf(' ') + 1))
    const id = sandboxes.newRequestId(sandbox)
    ctx.state.sandboxId = sandbox
    ctx.state.requestId = id
    ctx.state.standardHeaders = ['Request-Id', id, ...fixed]
    return next()
  }
}
