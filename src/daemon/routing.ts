import Router from '@koa/router'
import type { Context } from 'koa'
import { methodNotAllowedError } from '../api/schema/http-errors.ts'
import { truncateMasked } from '../domain/card-number-masking.ts'
import { DomainError } from '../domain/domain-error.ts'
import type { TextResponse } from './http-listener.ts'

interface RouteKey {
  readonly method: string
  readonly path: string
}

/** A route whose handler returns its response, or null when the response is on the Koa context. */
export interface ApiRoute extends RouteKey {
  readonly handle: (ctx: Context) => Promise<TextResponse | null>
}

/** A route whose handler writes its response to the Koa context. */
export interface KoaRoute extends RouteKey {
  readonly handle: (ctx: Context) => Promise<void> | void
}

/** Creates a function that calls the route of a request; throws a DomainError for an unknown path or method. */
export function createRouter(routes: readonly ApiRoute[]): (ctx: Context) => Promise<TextResponse | null> {
  const routers = new Map<string, Router>()
  for (const { method, path, handle } of routes) {
    const router = routers.get(resourceOf(path)) ?? new Router({ strict: true, sensitive: true })
    routers.set(resourceOf(path), router)
    router.register(path, [method], handle)
  }
  return (ctx) => {
    const { path } = ctx
    const router = routers.get(resourceOf(path))
    if (router === undefined) return rejectRoute(ctx, [])
    const [layer] = router.match(path, ctx.method).pathAndMethod
    const handle = layer?.stack[0]
    if (layer === undefined || handle === undefined) return rejectRoute(ctx, methodsAt(path, router))
    ctx.params = layer.params(path, layer.captures(path))
    return handle(ctx as never, noNext)
  }
}

async function noNext(): Promise<void> {}

// The first two path segments. A router compares a path with each of its routes, so every resource has its own router.
function resourceOf(path: string): string {
  const end = path.indexOf('/', path.indexOf('/', 1) + 1)
  return end < 1 ? path : path.slice(0, end)
}

function methodsAt(path: string, router: Router): string[] {
  const methods = router.match(path, '').path.flatMap((layer) => layer.methods)
  return [...new Set(methods)].filter((method) => method !== 'HEAD').sort()
}

function rejectRoute(ctx: Context, allowed: readonly string[]): never {
  if (allowed.length === 0) {
    throw new DomainError(
      'route_not_found',
      `There is no operation at ${truncateMasked(ctx.path, 100)}. Operations start with /v1, such as POST /v1/customers.`,
    )
  }
  ctx.set('Allow', allowed.join(', '))
  throw methodNotAllowedError(ctx.method, allowed)
}
