import type { Context } from 'koa'

/** Sets the standard headers that the route of a response did not set. */
export function setStandardHeaders({ res, state: { standardHeaders = [] } }: Context): void {
  for (let at = 0; at < standardHeaders.length; at += 2) {
    const [name = '', value = ''] = standardHeaders.slice(at, at + 2)
    if (!res.hasHeader(name)) res.setHeader(name, value)
  }
}

/**
 * Responds with JSON text. A success with only the standard headers and without a fault is sent directly, because Koa
 * would set and check one header after another.
 */
export function respondWithJson(ctx: Context, status: number, body: string): void {
  const { res, state } = ctx
  if (status !== 200 || state.sendResponse !== undefined || res.getHeaderNames().length > 0) {
    setStandardHeaders(ctx)
    ctx.status = status
    ctx.body = body
    return
  }
  ctx.respond = false
  state.responseText = body
  const { standardHeaders = [] } = state
  res.writeHead(200, [...standardHeaders, 'Content-Length', String(Buffer.byteLength(body))])
  res.end(body)
}
