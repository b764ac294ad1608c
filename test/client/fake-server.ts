import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CHALLENGE_HEADER, computeServerProof, PROOF_HEADER } from '../../src/api/core/server-proof.ts'

/** A request that the fake server received. */
export interface SeenRequest {
  readonly method: string
  /** Path with query. */
  readonly url: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

export interface FakeResponse {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** An object is sent as JSON, a string as HTML. */
  readonly body?: unknown
}

/** The reaction to a request: a response, no response, or a closed connection. */
export type Reaction = FakeResponse | 'hang' | 'cut'

export interface FakeServer {
  readonly url: string
  readonly seen: SeenRequest[]
  readonly stop: () => Promise<void>
}

/**
 * Starts a server on a free port; `react` returns the reaction to each request, and `count` is 1 for the first request.
 * With a secret, the server responds to challenges as a local server does, without recording them.
 */
export async function startFakeServer(
  react: (seen: SeenRequest, count: number) => Reaction,
  secret: string | null = null,
): Promise<FakeServer> {
  const seen: SeenRequest[] = []
  const server = createServer(async (request, response) => {
    const one = await read(request).catch(() => null)
    // The client closed the connection before it sent the whole request.
    if (one === null) return
    const proof = secret && computeServerProof(secret, String(one.headers[CHALLENGE_HEADER]))
    if (proof) return sendReaction({ headers: { [PROOF_HEADER]: proof } }, response)
    seen.push(one)
    sendReaction(react(one, seen.length), response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, seen, stop: () => stop(server) }
}

async function read(request: IncomingMessage): Promise<SeenRequest> {
  let body = ''
  for await (const chunk of request.setEncoding('utf8')) body += chunk
  return { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body }
}

function sendReaction(reaction: Reaction, response: ServerResponse): void {
  if (reaction === 'hang') return
  if (reaction === 'cut') {
    response.destroy()
    return
  }
  const { status = 200, headers = {}, body = {} } = reaction
  const isText = typeof body === 'string'
  response.writeHead(status, { 'Content-Type': isText ? 'text/html' : 'application/json', ...headers })
  response.end(isText ? body : JSON.stringify(body))
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

/** Returns an error response of the API with the given fields of `error`. */
export function errorResponse(
  status: number,
  fields: { readonly type: string; readonly code: string },
): FakeResponse {
  const message = `Something about ${fields.code}.`
  const errors = [{ code: fields.code, message, param: null }]
  const common = {
    message,
    param: null,
    doc_url: 'http://x/docs',
    request_id: 'req_1',
    suggestion: null,
    errors,
  }
  return { status, body: { error: { ...common, ...fields } } }
}
