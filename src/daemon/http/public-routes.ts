import type { Context } from 'koa'
import { CHALLENGE_HEADER, computeServerProof, PROOF_HEADER } from '../../api/core/server-proof.ts'
import { createOpenApiDocument, type OpenApiDocument } from '../../api/openapi/openapi.ts'
import { DomainError } from '../../domain/core/domain-error.ts'
import type { Runtime } from '../../engine/runtime.ts'
import { formatCommandIndex } from '../../pages/reference/command-index.ts'
import { createGuideResponse, readGuides } from '../../pages/reference/guides.ts'
import { createLlmsTextResponse, createPlainTextResponse } from '../../pages/reference/llms-text.ts'
import type { ReferenceResponse } from '../../pages/reference/reference-layout.ts'
import {
  createErrorReferenceResponse,
  createReferenceHomeResponse,
  createWelcomeResponse,
} from '../../pages/reference/reference-pages.ts'
import { createReferenceSearch } from '../../pages/reference/reference-search.ts'
import { createResourcePageResponse, listResources } from '../../pages/reference/resource-pages.ts'
import { PAYCLI_VERSION } from '../../store/port/version.ts'
import { createDocumentHandler, type StaticDocument } from './document-handler.ts'
import { getClientAddress } from './koa-app.ts'
import { enforceRateLimit, type RateLimiter } from './rate-limit.ts'
import { createActiveSandboxCounter, createReadinessCheck } from './readiness.ts'
import type { KoaRoute } from './routing.ts'

export interface PublicRoutesOptions {
  readonly apiUrl: string
  readonly pid: number
  /** The secret with which the server proves to its clients that it wrote its private files. */
  readonly serverSecret: string
  readonly runtime: Pick<Runtime, 'store' | 'wallNow'>
  /** Limits requests for the documents by client address; null disables the limit. */
  readonly referenceLimit: RateLimiter | null
}

/** Creates the routes that need no API key: the API reference, health, readiness and the root. */
export function createPublicRoutes(options: PublicRoutesOptions): KoaRoute[] {
  const { apiUrl, pid, runtime, referenceLimit, serverSecret } = options
  // Most processes never receive a request for the documents, so the first request renders them.
  const document = once(() => createOpenApiDocument({ apiUrl, version: PAYCLI_VERSION }))
  const limited =
    (handle: KoaRoute['handle']): KoaRoute['handle'] =>
    (ctx) => {
      // Limit these requests by client address, because the documents are large and need no API key.
      if (referenceLimit !== null) enforceRateLimit(referenceLimit.take(getClientAddress(ctx)))
      return handle(ctx)
    }
  const guides = once(readGuides)
  const resources = once(() => listResources(document()))
  const search = once(() => createReferenceSearch(document(), resources(), guides()))
  const welcome = once(() => createWelcomeResponse(document().info))
  const requireReady = createReadinessCheck(runtime.store)
  const countSandboxes = createActiveSandboxCounter(runtime.store)
  const handlers: Readonly<Record<string, KoaRoute['handle']>> = {
    '/docs': limited(
      createDocumentHandler(() => createReferenceHomeResponse(document(), resources(), guides())),
    ),
    '/docs/api/:page': limited(createPages(resources, (one) => createResourcePageResponse(one, document()))),
    '/docs/guides/:page': limited(createPages(guides, createGuideResponse)),
    '/docs/search': limited(async (ctx) => {
      const find = await search()
      sendPage(ctx, find([ctx.query['q'] ?? ''].flat().join(' ')))
    }),
    '/docs/errors': limited(createDocumentHandler(createErrorReferenceResponse)),
    '/docs/commands.txt': limited(createDocumentHandler(() => createPlainTextResponse(formatCommandIndex()))),
    '/llms.txt': limited(
      createDocumentHandler(() => createLlmsTextResponse(document().info.summary, apiUrl)),
    ),
    '/openapi.json': limited(createDocumentHandler(() => toJsonDocument(document()))),
    '/healthz'(ctx) {
      // The CLI reads the server time from this header, because the server clock may differ from the clock of the
      // machine.
      ctx.set('Date', new Date(runtime.wallNow() * 1000).toUTCString())
      const proof = computeServerProof(serverSecret, ctx.get(CHALLENGE_HEADER))
      if (proof !== null) ctx.set(PROOF_HEADER, proof)
      ctx.body = { status: 'ok', pid, version: PAYCLI_VERSION }
    },
    // /readyz is separate from /healthz, because a database outage must not make a supervisor restart the process.
    async '/readyz'(ctx) {
      const warning = await requireReady()
      const ready = { status: 'ok', pid, version: PAYCLI_VERSION, sandboxes: await countSandboxes() }
      ctx.body = { ...ready, ...(warning === null ? {} : { warning }) }
    },
    '/'(ctx) {
      if (ctx.accepts('json', 'html') === 'html') sendPage(ctx, welcome())
      else ctx.body = createRootDocument(document(), apiUrl)
      ctx.vary('Accept')
    },
  }
  return Object.entries(handlers).map(([path, handle]) => ({ method: 'GET', path, handle }))
}

/** Creates the handler of named pages; each page is rendered once. */
function createPages<Named extends { readonly name: string }>(
  list: () => readonly Named[],
  render: (one: Named) => ReferenceResponse,
): KoaRoute['handle'] {
  const pages = once(() => new Map(list().map((one) => [one.name, createDocumentHandler(() => render(one))])))
  return (ctx) => {
    const page = pages().get(ctx['params'].page)
    if (page === undefined)
      throw new DomainError('route_not_found', 'There is no such page. /docs lists all pages.')
    return page(ctx)
  }
}

function toJsonDocument(document: object): StaticDocument {
  return {
    headers: { 'Content-Type': 'application/json; charset=utf-8' },
    body: JSON.stringify(document),
  }
}

function sendPage(ctx: Context, { headers, body }: ReferenceResponse): void {
  ctx.set(headers)
  ctx.body = body
}

function createRootDocument({ info }: OpenApiDocument, apiUrl: string): object {
  const { title: name, version, summary } = info
  return {
    ...{ name, version, summary },
    docs: `${apiUrl}/docs`,
    openapi: `${apiUrl}/openapi.json`,
    llms: `${apiUrl}/llms.txt`,
    health: `${apiUrl}/healthz`,
    ready: `${apiUrl}/readyz`,
  }
}

function once<T extends object>(create: () => T): () => T {
  let value: T | null = null
  return () => {
    value ??= create()
    return value
  }
}
