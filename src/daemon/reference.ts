import type { Context } from 'koa'
import { type OpenApiDocument, openApiDocument } from '../api/openapi/openapi.ts'
import type { Runtime } from '../engine/runtime.ts'
import { renderErrorReference } from '../pages/reference/error-reference.ts'
import { renderReference, renderWelcome } from '../pages/reference/reference.ts'
import type { ReferencePage } from '../pages/reference/reference-layout.ts'
import { VERSION } from '../store/port/version.ts'
import { createCachedDocument, type StaticDocument } from './cached-document.ts'
import { checkAllowance, type RateLimit } from './rate-limit.ts'
import { createReadiness } from './readiness.ts'
import type { ContextRoute } from './routing.ts'
import { visitorAddress } from './visitor-address.ts'

interface Referred {
  readonly apiUrl: string
  readonly pid: number
  readonly runtime: Pick<Runtime, 'store' | 'wallNow'>
  /** How often an address may ask for the documents; null for as often as it likes. */
  readonly referenceLimit: RateLimit | null
  readonly isProxyTrusted: boolean
}

/** The routes that need no key: how the process is, and what the API is. */
export function referenceRoutes(options: Referred): ContextRoute[] {
  const { apiUrl, pid, runtime } = options
  // Most processes are never asked, so nothing is rendered before somebody does.
  const document = once(() => openApiDocument({ apiUrl, version: VERSION }))
  const limited = (answer: ContextRoute['answer']): ContextRoute['answer'] => {
    return (ctx) => {
      checkReferenceRate(ctx, options)
      return answer(ctx)
    }
  }
  const welcome = once(() => renderWelcome(document()))
  const requireReady = createReadiness(() => runtime.store)
  const answers: Readonly<Record<string, ContextRoute['answer']>> = {
    '/docs': limited(createCachedDocument(() => renderReference(document()))),
    '/docs/errors': limited(createCachedDocument(renderErrorReference)),
    '/openapi.json': limited(createCachedDocument(() => jsonOf(document()))),
    '/healthz'(ctx) {
      // The command line reads the time of the service here, and the machine's clock may be another one.
      ctx.set('Date', new Date(runtime.wallNow() * 1000).toUTCString())
      ctx.body = { status: 'ok', pid, version: VERSION }
    },
    // Apart from the health: a process need not be started anew because its database is away.
    async '/readyz'(ctx) {
      const warning = await requireReady()
      ctx.body = { status: 'ok', pid, version: VERSION, ...(warning === null ? {} : { warning }) }
    },
    '/'(ctx) {
      if (ctx.accepts('json', 'html') === 'html') answerPage(ctx, welcome())
      else ctx.body = signpost(document(), apiUrl)
      ctx.vary('Accept')
    },
  }
  return Object.entries(answers).map(([path, answer]) => ({ method: 'GET', path, answer }))
}

// They are large, and need no key.
function checkReferenceRate({ req }: Context, { referenceLimit, isProxyTrusted }: Referred): void {
  if (referenceLimit !== null) checkAllowance(referenceLimit.take(visitorAddress(req, isProxyTrusted)))
}

function jsonOf(document: OpenApiDocument): StaticDocument {
  return {
    headers: { 'Content-Type': 'application/json; charset=utf-8' },
    body: JSON.stringify(document),
  }
}

function answerPage(ctx: Context, { headers, body }: ReferencePage): void {
  ctx.set(headers)
  ctx.body = body
}

function signpost({ info }: OpenApiDocument, apiUrl: string): object {
  return {
    name: info.title,
    version: info.version,
    summary: info.summary,
    docs: `${apiUrl}/docs`,
    openapi: `${apiUrl}/openapi.json`,
    health: `${apiUrl}/healthz`,
    ready: `${apiUrl}/readyz`,
  }
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
