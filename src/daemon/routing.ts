import Router from '@koa/router'
import type { Context } from 'koa'
import { Refusal } from '../domain/refusal.ts'

/** What answers requests of one method at one path. */
export interface Route {
  readonly method: string
  readonly path: string
  readonly answer: (ctx: Context) => Promise<void> | void
}

/** Lets the route of its method and path answer a request; refuses one that has none. */
export function createRouting(routes: readonly Route[]): (ctx: Context) => Promise<unknown> {
  const routers = new Map<string, Router>()
  for (const { method, path, answer } of routes) {
    const router = routers.get(stemOf(path)) ?? new Router({ strict: true, sensitive: true })
    routers.set(stemOf(path), router)
    router.register(path, [method], answer)
  }
  const branches = new Map([...routers].map(([stem, router]) => [stem, { router, enter: router.routes() }]))
  return async (ctx) => {
    const branch = branches.get(stemOf(ctx.path))
    if (branch === undefined) return refuse(ctx, [])
    return branch.enter(ctx as never, async () => refuse(ctx, methodsAt(ctx.path, branch.router)))
  }
}

// The first two segments, in which no route has a parameter: a router compares a path with all of its routes, so each
// resource has one of its own.
function stemOf(path: string): string {
  const end = path.indexOf('/', path.indexOf('/', 1) + 1)
  return end < 1 ? path : path.slice(0, end)
}

function methodsAt(path: string, router: Router): string[] {
  const methods = router.match(path, '').path.flatMap((layer) => layer.methods)
  return [...new Set(methods)].filter((method) => method !== 'HEAD').sort()
}

function refuse(ctx: Context, allowed: readonly string[]): never {
  if (allowed.length === 0) {
    throw new Refusal(
      'route_not_found',
      `No operation has the path ${ctx.path.slice(0, 100)}. All of them start with /v1, such as POST /v1/customers.`,
    )
  }
  ctx.set('Allow', allowed.join(', '))
  throw new Refusal('method_not_allowed', `${ctx.method} is not possible here; use ${allowed.join(' or ')}.`)
}
