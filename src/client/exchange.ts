import type { IncomingMessage, RequestOptions } from 'node:http'
import type { Outgoing } from './request.ts'

const MAX_ANSWER_BYTES = 64 * 1024 * 1024

export interface Answer {
  readonly status: number
  readonly contentType: string
  readonly location: string | undefined
  readonly retryAfterSeconds: number | null
  /** When the answer was sent by the clock of its sender, in Unix seconds; null when it does not say. */
  readonly sentAt: number | null
  /** What the service has to say beside its answer; null when it is nothing. */
  readonly warning: string | null
  readonly body: string
}

/** Sends one request and reads the whole answer; rejects with the system's error, or AbortError on `signal`. */
export function exchange(base: string, outgoing: Outgoing, signal: AbortSignal): Promise<Answer> {
  const { origin, pathname, protocol } = new URL(base)
  // Importing node:http costs ten times as much: its lazy getters pull in undici.
  const http =
    protocol === 'https:' ? process.getBuiltinModule('node:https') : process.getBuiltinModule('node:http')
  const { method, path, headers, body } = outgoing
  // A connection of its own for each request: none can be closed under us because it was idle.
  const options: RequestOptions = { method, headers: { ...headers }, agent: false, signal }
  if (body !== null) options.headers = { ...headers, 'Content-Length': Buffer.byteLength(body) }
  return new Promise((resolve, reject) => {
    // The path goes over unresolved, or an id of '..' would climb.
    options.path = pathname.replace(/\/$/, '') + path
    const request = http.request(origin, options, (response) => {
      const chunks: Buffer[] = []
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        chunks.push(chunk)
        if (bytes > MAX_ANSWER_BYTES) reject(new Error(`the answer is larger than ${MAX_ANSWER_BYTES} bytes`))
        if (bytes > MAX_ANSWER_BYTES) response.destroy()
      })
      response.on('end', () => resolve(answerOf(response, chunks)))
      response.on('error', reject)
    })
    request.on('error', reject)
    request.end(body ?? undefined)
  })
}

function answerOf(response: IncomingMessage, chunks: readonly Buffer[]): Answer {
  const { headers, statusCode = 0 } = response
  const retryAfter = headers['retry-after']
  const sentAtMs = Date.parse(headers.date ?? '')
  return {
    status: statusCode,
    contentType: headers['content-type'] ?? 'no content type',
    location: headers.location,
    retryAfterSeconds: retryAfter !== undefined && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) : null,
    sentAt: Number.isNaN(sentAtMs) ? null : Math.floor(sentAtMs / 1000),
    warning: [headers['paycli-warning'] ?? []].flat().join(', ') || null,
    body: Buffer.concat(chunks).toString('utf8'),
  }
}
