import Router from '@koa/router'
import type { Context, Middleware } from 'koa'
import { operations } from '../../../src/api/api.ts'
import { createRoutingMiddleware } from '../../../src/daemon/http/routing.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('daemon/http/routing')

const routes = operations.map(({ operation: { method, path } }) => ({
  method,
  path,
  handle(ctx: Context) {
    ctx.body = `${method} ${path} ${JSON.stringify(ctx['params'])}`
  },
}))

function oneRouter(): Middleware {
  const router = new Router({ strict: true, sensitive: true })
  for (const { method, path, handle } of routes) router.register(path, [method], handle)
  return router.routes() as unknown as Middleware
}

/** Returns the route of a request with its path parameters, or the methods of the routes with its path. */
async function route(middleware: Middleware, method: string, path: string) {
  const ctx = { method, path, host: '', request: {} } as Context
  await middleware(ctx, async () => {})
  const matched: readonly { readonly methods: readonly string[] }[] = ctx['matched'] ?? []
  return ctx.body ?? matched.flatMap(({ methods }) => methods)
}

test('routes requests as one @koa/router with all operations does', async () => {
  const [own, expected] = [createRoutingMiddleware(routes), oneRouter()]
  for (const path of new Set(routes.map(({ path }) => path))) {
    const requested = ['cus_1', 'caf%C3%A9', '%', 'a.b', ''].map((id) => path.replace(':id', id))
    for (const one of [...requested, `${path}/`, path.toUpperCase()]) {
      for (const method of ['GET', 'POST', 'DELETE', 'HEAD', 'PUT'])
        assert.equal(await route(own, method, one), await route(expected, method, one), `${method} ${one}`)
    }
  }
})

test.run()
