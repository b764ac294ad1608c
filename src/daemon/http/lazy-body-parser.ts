import type { Middleware } from 'koa'
import type bodyParser from 'koa-bodyparser'

/** Creates a body parser that is loaded with the first body, because loading it takes a tenth of the start of the server. */
export function lazyBodyParser(options: bodyParser.Options): Middleware {
  let loading: Promise<Middleware> | null = null
  return async (ctx, next) => {
    loading ??= import('koa-bodyparser').then(({ default: create }) => create(options))
    const parse = await loading
    await parse(ctx, next)
  }
}
