import Router from '@koa/router'
import type { Context, Middleware } from 'koa'
import { operations } from '../../api/api.ts'
import { findReplacementHint, STRIPE_RESOURCES } from '../../api/resources/stripe-resources.ts'
import { createMethodNotAllowedError, createUnknownPathError } from '../../api/schema/http-errors.ts'
import { findNearestName } from '../../api/schema/spelling.ts'

/** A route of the API server. */
export interface KoaRoute {
  readonly method: string
  readonly path: string
  /** The scope that the API key of a request must have (default: the route needs no key). */
  readonly scope?: string
  /** Whether requests do not count toward the rate limit of their sandbox. */
  readonly isUnlimited?: boolean
  readonly handle: (ctx: Context) => Promise<void> | void
}

/**
 * Creates the middleware that routes requests. A map finds the routes whose path has no parameters or an id at the end.
 * `@koa/router`, which composes a chain for each request, handles all other routes. There is one router per resource,
 * because a router compares a path with each of its routes.
 */
export function createRoutingMiddleware(routes: readonly KoaRoute[]): Middleware {
  const routers = new Map<string, Router>()
  for (const { method, path, handle } of routes) {
    const router = routers.get(prefixOf(path)) ?? new Router({ strict: true, sensitive: true })
    routers.set(prefixOf(path), router)
    router.register(path, [method], handle)
  }
  const byPrefix = new Map([...routers].map(([prefix, router]) => [prefix, router.routes()]))
  const direct = new Map(routes.map(({ method, path, handle }) => [`${method} ${path}`, handle]))
  return (ctx, next) => {
    const { method, path } = ctx
    const exact = direct.get(`${method} ${path}`)
    const idAt = path.lastIndexOf('/') + 1
    const id = exact === undefined && PLAIN_ID.test(path.slice(idAt)) ? path.slice(idAt) : undefined
    const found = id === undefined ? exact : direct.get(`${method} ${path.slice(0, idAt)}:id`)
    if (found === undefined) return byPrefix.get(prefixOf(path))?.(ctx as never, next) ?? next()
    ctx.params = id === undefined ? {} : { id }
    return found(ctx)
  }
}

// Returns the first two path segments.
function prefixOf(path: string): string {
  const end = path.indexOf('/', path.indexOf('/', 1) + 1)
  return end < 1 ? path : path.slice(0, end)
}

/** Matches an id without characters that may be encoded in a URL. */
const PLAIN_ID = /^\w+$/

/** Throws a DomainError for a request that no route handled: 404, or 405 with the methods of its path. */
export function rejectUnrouted(ctx: Context): never {
  const matched: readonly { readonly methods: readonly string[] }[] = ctx['matched'] ?? []
  const methods = new Set(matched.flatMap((layer) => layer.methods))
  methods.delete('HEAD')
  const replacement = findReplacementHint(ctx.method, ctx.path)
  if (methods.size === 0) {
    throw createUnknownPathError(ctx.path, replacement ?? describeNearPath(ctx.path))
  }
  const allowed = [...methods].sort()
  ctx.set('Allow', allowed.join(', '))
  throw createMethodNotAllowedError(ctx.method, allowed, replacement)
}

function describeNearPath(path: string): string {
  const name = path.replace(/^\/(?:v1\/)?/, '')
  const [, resource] = STRIPE_RESOURCES.find(([pattern]) => pattern.test(name)) ?? []
  if (resource === 'payments')
    return 'Use /v1/payment_sessions, or /v1/payments for a customer with a saved card.'
  if (resource !== undefined) return `Use /v1/${resource}.`
  const nearest = findNearestPath(path)
  if (nearest !== null) return `The most similar path is ${nearest}.`
  return path.startsWith('/v1/') ? 'See all operations in /openapi.json.' : 'Operations start with /v1/.'
}

const TEMPLATES = operations.map(({ operation: { path } }) => ({ path, words: splitPath(path) }))

/** Returns the path of an operation that differs only in `/v1`, `/test_helpers` or the spelling of one word, or null. */
function findNearestPath(path: string): string | null {
  const given = splitPath(path)
  const templates = TEMPLATES.filter(({ words }) => words.length === given.length)
  for (const [at, word] of given.entries()) {
    const near = templates.filter(({ words }) =>
      words.every((name, other) => other === at || name === ':id' || name === given[other]),
    )
    const names = near.map(({ words }) => words[at] ?? '')
    const name = findNearestName(word, names)
    if (name !== null) return near[names.indexOf(name)]?.path ?? null
  }
  return null
}

// Repeated slashes and a slash at the end are ignored.
function splitPath(path: string): string[] {
  const name = path.replace(/^\/(?:v1\/)?(?:test_helpers\/)?/, '')
  return name.split('/').filter((word) => word !== '')
}
