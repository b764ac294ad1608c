import type { Context, Middleware } from 'koa'
import { SECURITY_HEADERS } from '../../api/core/security-headers.ts'
import { API_VERSION } from '../../domain/requests/api-version.ts'
import { getKeySandboxId } from '../../domain/sandboxes/api-keys.ts'
import type { SandboxRegistry } from '../sandboxes/sandbox-registry.ts'

/** The headers of every response; a route can replace `Content-Type`. */
export const STANDARD_HEADERS = {
  'Paycli-Version': API_VERSION,
  'Content-Type': 'application/json; charset=utf-8',
  ...SECURITY_HEADERS,
}

/**
 * Creates the middleware that gives each request an id from the generator of the sandbox that its API key names. The
 * middleware also sets the standard headers of the response in `ctx.state`: the id, the headers of every response and
 * `headers`.
 */
export function createRequestIdMiddleware(
  sandboxes: Pick<SandboxRegistry, 'newRequestId'>,
  headers: Readonly<Record<string, string>> = {},
): Middleware {
  const fixed = Object.entries({ ...STANDARD_HEADERS, ...headers }).flat()
  return (ctx, next) => {
    const { authorization = '' } = ctx.req.headers
    const sandbox = getKeySandboxId(authorization.slice(authorization.lastIndexOf(' ') + 1))
    const id = sandboxes.newRequestId(sandbox)
    ctx.state.sandboxId = sandbox
    ctx.state.requestId = id
    ctx.state.standardHeaders = ['Request-Id', id, ...fixed]
    return next()
  }
}

/** Sets the standard headers of a response that its route did not set. */
export function setStandardHeaders({ res, state: { standardHeaders = [] } }: Context): void {
  for (let at = 0; at < standardHeaders.length; at += 2) {
    const [name = '', value = ''] = standardHeaders.slice(at, at + 2)
    if (!res.hasHeader(name)) res.setHeader(name, value)
  }
}

/**
 * Responds with a JSON string. Sends a successful response directly if it has only the standard headers and no fault,
 * because Koa would set and check each header separately.
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
