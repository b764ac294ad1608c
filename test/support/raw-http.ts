import { type IncomingMessage, type RequestOptions, request } from 'node:http'
import { connect } from 'node:net'
import { checkResponse } from './contract.ts'

/** A raw HTTP response. */
export interface HttpResponse {
  readonly status: number
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly text: string
}

export interface HttpRequestOptions {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  /** Sends the body chunked, without Content-Length. */
  readonly isChunked?: boolean
}

/** Sends one request on a new connection, with exactly these headers and the headers that HTTP requires. */
export function sendRequest(url: string, given: HttpRequestOptions = {}): Promise<HttpResponse> {
  const { method = 'GET', headers = {}, body = '', isChunked = false } = given
  const options: RequestOptions = { method, headers: { ...headers }, agent: false }
  if (!isChunked && body.length > 0) {
    options.headers = { ...headers, 'Content-Length': Buffer.byteLength(body) }
  }
  return new Promise((resolve, reject) => {
    const outgoing = request(url, options, (response) =>
      resolve(asPublished(read(response), { method, url })),
    )
    outgoing.on('error', reject)
    // A write before end() makes the body chunked.
    if (isChunked) outgoing.write(body)
    outgoing.end(isChunked ? undefined : body)
  })
}

async function asPublished(
  reading: Promise<HttpResponse>,
  { method, url }: { readonly method: string; readonly url: string },
): Promise<HttpResponse> {
  const answer = await reading
  const { status, text, headers } = answer
  const isJson = headers['content-type']?.startsWith('application/json') === true
  const isOfApi = headers['paycli-version'] !== undefined && isJson && method !== 'HEAD'
  // The target is sent unchanged: a URL object would normalize it.
  if (isOfApi) checkResponse({ method, path: url.replace(/^[a-z]+:\/\/[^/]*/, ''), status, text })
  return answer
}

/** Posts a JSON body with an API key. */
export function postJson(url: string, key: string, fields: object): Promise<HttpResponse> {
  return sendRequest(url, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(fields),
  })
}

/**
 * Sends raw text, valid HTTP or not, and resolves with the response. Valid requests must close the connection. `isAll` ends
 * the writing side, so that the server does not wait for the rest of an incomplete request.
 */
export function sendRawText(url: string, text: string, { isAll = false } = {}): Promise<HttpResponse> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      if (isAll) socket.end(text, 'latin1')
      else socket.write(text, 'latin1')
    })
    let received = ''
    socket.setEncoding('utf8').on('data', (chunk) => {
      received += chunk
    })
    // A server that responds before it has read the whole request resets the connection; its response still counts.
    socket.on('error', (error) => received === '' && reject(error))
    socket.on('close', () => resolve(parse(received)))
  })
}

/** Returns the fields of a JSON response. */
export function fieldsOf<T = Record<string, unknown>>({ text }: HttpResponse): T {
  return JSON.parse(text) as T
}

/** Returns the error object of a response. */
export function errorIn(answer: HttpResponse): Record<string, unknown> {
  return fieldsOf<{ error: Record<string, unknown> }>(answer).error
}

async function read(response: IncomingMessage): Promise<HttpResponse> {
  const { statusCode = 0 } = response
  const headers = Object.entries(response.headers).map(([name, value]) => [name, String(value)])
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  return {
    status: statusCode,
    headers: Object.fromEntries(headers),
    text: Buffer.concat(chunks).toString('utf8'),
  }
}

function parse(received: string): HttpResponse {
  const [head = '', ...body] = received.split('\r\n\r\n')
  const [line = '', ...lines] = head.split('\r\n')
  const headers = lines.map((each) => {
    const [name = '', ...value] = each.split(': ')
    return [name.toLowerCase(), value.join(': ')]
  })
  return {
    status: Number(line.split(' ')[1] ?? 0),
    headers: Object.fromEntries(headers),
    text: body.join('\r\n\r\n'),
  }
}
