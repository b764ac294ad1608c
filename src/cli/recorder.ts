import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { exchange } from '../client/exchange.ts'
import { isFields } from '../client/fields.ts'
import { listenLocally } from './local-port.ts'

const MAX_BODY_BYTES = 1024 * 1024

/** A change that went through a recorder, with what the service answered. */
export interface Recorded {
  readonly method: string
  readonly path: string
  readonly params: object
  readonly answer: object
}

/** A local address in front of a service, which notes every change that succeeds. */
export interface Recorder {
  readonly url: string
  readonly recorded: readonly Recorded[]
  readonly close: () => Promise<void>
}

/** Starts a recorder on a free local port; what it hands on is not changed. */
export async function startRecorder(apiBase: string): Promise<Recorder> {
  const recorded: Recorded[] = []
  const server = createServer((request, response) => {
    handOn(apiBase, request, response)
      .then((one) => one !== null && recorded.push(one))
      .catch((error: unknown) => response.writeHead(502).end(String(error)))
  })
  const port = await listenLocally(server)
  return {
    url: `http://127.0.0.1:${port}`,
    recorded,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function handOn(
  apiBase: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Recorded | null> {
  const { method = 'GET', url: path = '/' } = request
  const body = await readBody(request)
  const { host: _host, connection: _connection, 'content-length': _length, ...headers } = request.headers
  const outgoing = { method, path, headers: flat(headers), body: body === '' ? null : body }
  const answer = await exchange(apiBase, outgoing as never, new AbortController().signal)
  const { status, contentType } = answer
  response.writeHead(status, { 'Content-Type': contentType }).end(answer.body)
  if (method === 'GET' || status < 200 || status >= 300) return null
  const value: unknown = JSON.parse(answer.body)
  return isFields(value) ? { method, path, params: paramsIn(body), answer: value } : null
}

function paramsIn(body: string): object {
  const value: unknown = body === '' ? {} : JSON.parse(body)
  return isFields(value) ? value : {}
}

function flat(headers: NodeJS.Dict<string | string[]>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  )
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MAX_BODY_BYTES) throw new Error(`the request is larger than ${MAX_BODY_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
