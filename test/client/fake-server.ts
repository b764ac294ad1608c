import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request as the fake server saw it. */
export interface Seen {
  readonly method: string
  /** Path with query, as it came. */
  readonly url: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

export interface FakeAnswer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** An object is sent as JSON, text as it is. */
  readonly body?: unknown
}

/** What to do with a request: answer it, never answer, or cut the connection. */
export type Reaction = FakeAnswer | 'hang' | 'cut'

export interface FakeServer {
  readonly url: string
  readonly seen: Seen[]
  readonly stop: () => Promise<void>
}

/** A server on a free port that reacts to every request as it is told; `count` is 1 for the first one. */
export async function startFakeServer(react: (seen: Seen, count: number) => Reaction): Promise<FakeServer> {
  const seen: Seen[] = []
  const server = createServer(async (request, response) => {
    const one = await read(request).catch(() => null)
    // Whoever left in the middle of it asked for nothing.
    if (one === null) return
    seen.push(one)
    carryOut(react(one, seen.length), response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, seen, stop: () => stop(server) }
}

async function read(request: IncomingMessage): Promise<Seen> {
  let body = ''
  for await (const chunk of request.setEncoding('utf8')) body += chunk
  return { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body }
}

function carryOut(reaction: Reaction, response: ServerResponse): void {
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

/** The error answer of the service for a type and code, with whatever else is given in its error. */
export function errorAnswer(
  status: number,
  given: { readonly type: string; readonly code: string },
): FakeAnswer {
  const message = `Something about ${given.code}.`
  const errors = [{ code: given.code, message, param: null }]
  const common = {
    message,
    param: null,
    doc_url: 'http://x/docs',
    request_id: 'req_1',
    suggestion: null,
    errors,
  }
  return { status, body: { error: { ...common, ...given } } }
}
