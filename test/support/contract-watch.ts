import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { checkResponse } from './contract.ts'

interface Started {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/**
 * Importing this file checks every HTTP response of any API in this process against the OpenAPI document. An invalid
 * response ends the process, which fails the test file.
 */
subscribe('http.server.request.start', (message) => {
  const { request, response } = message as Started
  const chunks: Buffer[] = []
  const keep = (chunk: unknown, encoding: unknown) => {
    if (typeof chunk === 'string')
      chunks.push(Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8'))
    else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk))
  }
  const { write, end } = response
  response.write = ((...given: Parameters<typeof write>) => {
    keep(given[0], given[1])
    return write.apply(response, given)
  }) as typeof write
  response.end = ((...given: Parameters<typeof end>) => {
    keep(given[0], given[1])
    return end.apply(response, given)
  }) as typeof end
  response.once('finish', () => {
    const body = Buffer.concat(chunks)
    if (isOfApi(response) && request.method !== 'HEAD' && !isTruncated(response, body))
      check(request, response, body.toString('utf8'))
  })
})

function isOfApi(response: ServerResponse): boolean {
  const type = String(response.getHeader('content-type') ?? '')
  return response.getHeader('paycli-version') !== undefined && type.startsWith('application/json')
}

/** Returns whether a fault truncated a response. */
function isTruncated(response: ServerResponse, body: Buffer): boolean {
  const length = response.getHeader('content-length')
  return response.hasHeader('paycli-fault') && length !== undefined && body.length < Number(length)
}

function check(request: IncomingMessage, response: ServerResponse, text: string): void {
  // The error is thrown outside the request, because an error handler would turn it into a response.
  setImmediate(() => {
    checkResponse({
      method: request.method ?? '',
      path: request.url ?? '',
      status: response.statusCode,
      text,
    })
  })
}
