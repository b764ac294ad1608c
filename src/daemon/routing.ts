import Router from '@koa/router'
import type { Context } from 'koa'
import { methodNotAllowed } from '../api/schema/wire-refusals.ts'
import { cutMasked } from '../domain/card-numbers.ts'
import { DomainError } from '../domain/domain-error.ts'
import type { PlainAnswer } from './listen.ts'

interface At {
  readonly method: string
  readonly path: string
}

/** What answers requests of one method at one path; null stands for an answer that the context was told. */
export interface Route extends At {
  readonly answer: (ctx: Context) => Promise<PlainAnswer | null>
}

/** What answers by telling the context. */
export interface ContextRoute extends At {
  readonly answer: (ctx: Context) => Promise<void> | void
}

/** Lets the route of its method and path answer a request; refuses one that has none. */
export function createRouting(routes: readonly Route[]): (ctx: Context) => Promise<PlainAnswer | null> {
  const routers = new Map<string, Router>()
  for (const { method, path, answer } of routes) {
    const router = routers.get(stemOf(path)) ?? new Router({ strict: true, sensitive: true })
    routers.set(stemOf(path), router)
    router.register(path, [method], answer)
  }
  return (ctx) => {
    const { path } = ctx
    const router = routers.get(stemOf(path))
    if (router === undefined) return refuse(ctx, [])
    const [layer] = router.match(path, ctx.method).pathAndMethod
    const answer = layer?.stack[0]
    if (layer === undefined || answer === undefined) return refuse(ctx, methodsAt(path, router))
    ctx.params = layer.params(path, layer.captures(path))
    return answer(ctx as never, nothing)
  }
}

// One route answers a request, so what would follow it is never asked.
async function nothing(): Promise<void> {}

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
    throw new DomainError(
      'route_not_found',
      `No operation has the path ${cutMasked(ctx.path, 100)}. All of them start with /v1, such as POST /v1/customers.`,
    )
  }
  ctx.set('Allow', allowed.join(', '))
  throw methodNotAllowed(ctx.method, allowed)
}
