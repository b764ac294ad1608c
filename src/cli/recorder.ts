import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { type Fields, isFields } from '../client/fields.ts'
import { passOn, withoutHops } from '../client/pass-on.ts'
import { listenLocally } from './local-port.ts'

const MAX_BODY_BYTES = 1024 * 1024
const DECLINED = 402

/** A change that went through a recorder, with what the service answered. */
export interface Recorded {
  readonly method: string
  readonly path: string
  readonly params: object
  readonly status: number
  readonly answer: object
}

/** A local address in front of a service, which notes every request that changed something there. */
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
      .catch((error: unknown) => {
        if (response.headersSent) response.destroy()
        else response.writeHead(502).end(String(error))
      })
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
  const sent = await bytesOf(request)
  const answer = await passOn(apiBase, request, sent)
  const { statusCode: status = 502, headers } = answer
  const isToldOnce = headers['idempotent-replayed'] === undefined
  response.writeHead(status, withoutHops(headers))
  if (method === 'GET' || !isToldOnce || !leavesSomething(status)) {
    await pipeline(answer, response)
    return null
  }
  const received = await bytesOf(answer)
  response.end(received)
  const answered = fieldsIn(received)
  if (answered === null) return null
  return { method, path, params: fieldsIn(sent) ?? {}, status, answer: answered }
}

// A declined charge leaves its payment behind; whatever else was refused left nothing.
function leavesSomething(status: number): boolean {
  return (status >= 200 && status < 300) || status === DECLINED
}

// What is no JSON object, as something else at the address may answer, is handed on and makes no step.
function fieldsIn(body: Buffer): Fields | null {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'))
    return isFields(value) ? value : null
  } catch {
    return null
  }
}

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of message as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MAX_BODY_BYTES) throw new Error(`a body is larger than ${MAX_BODY_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
