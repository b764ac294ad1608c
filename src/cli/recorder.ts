import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { type Fields, isFields } from '../client/fields.ts'
import { passOn, withoutHops } from '../client/pass-on.ts'
import { listenLocally } from './local-port.ts'

const MAX_BODY_BYTES = 1024 * 1024
const DECLINED = 402

/** A request that went through a recorder, with what the service answered. */
export interface Recorded {
  readonly method: string
  readonly path: string
  readonly params: object
  readonly status: number
  readonly answer: object
}

/** A local address in front of a service. */
export interface Recorder {
  readonly url: string
  readonly close: () => Promise<void>
}

/**
 * Starts a recorder on a free local port, which notes every request that changed something in the service or was
 * answered with what is there; what it hands on is not changed.
 */
export async function startRecorder(apiBase: string, note: (recorded: Recorded) => void): Promise<Recorder> {
  const server = createServer((request, response) => {
    handOn(apiBase, request, response)
      .then((one) => one !== null && note(one))
      .catch((error: unknown) => {
        if (response.headersSent) response.destroy()
        else response.writeHead(502).end(String(error))
      })
  })
  const port = await listenLocally(server)
  return {
    url: `http://127.0.0.1:${port}`,
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
  response.writeHead(status, withoutHops(headers))
  if (!(method === 'GET' ? isShown(answer) : isDone(answer))) {
    await pipeline(answer, response)
    return null
  }
  const received = await bytesOf(answer)
  response.end(received)
  const answered = fieldsIn(received)
  if (answered === null) return null
  return { method, path, params: fieldsIn(sent) ?? {}, status, answer: answered }
}

// A stream has no end to wait for, and so no length; what is too long to be kept is handed on as it comes.
function isShown({ statusCode = 502, headers }: IncomingMessage): boolean {
  return isFine(statusCode) && Number(headers['content-length'] ?? Infinity) <= MAX_BODY_BYTES
}

// A declined charge leaves its payment behind; whatever else was refused left nothing.
function isDone({ statusCode = 502, headers }: IncomingMessage): boolean {
  return headers['idempotent-replayed'] === undefined && (isFine(statusCode) || statusCode === DECLINED)
}

function isFine(status: number): boolean {
  return status >= 200 && status < 300
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
