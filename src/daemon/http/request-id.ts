import type { Middleware } from 'koa'
import { sandboxOfKey } from '../../domain/sandboxes/api-keys.ts'
import type { SandboxRegistry } from '../sandboxes/sandbox-registry.ts'

/** Gives each request an id, which its response repeats, from the generator of the sandbox that its API key names. */
export function requestId(sandboxes: Pick<SandboxRegistry, 'newRequestId'>): Middleware {
  return (ctx, next) => {
    const { authorization = '' } = ctx.req.headers
    const sandbox = sandboxOfKey(authorization.slice(authorization.lastIndexOf(' ') + 1))
    const id = sandboxes.newRequestId(sandbox)
    ctx.state.sandboxId = sandbox
    ctx.state.requestId = id
    ctx.res.setHeader('Request-Id', id)
    return next()
  }
}
