import { type IncomingMessage, type RequestOptions, request } from 'node:http'
import { connect } from 'node:net'
import { checkAnswer } from './contract.ts'

/** An answer as it came over the wire. */
export interface Answer {
  readonly status: number
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly text: string
}

export interface Ask {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  /** Sends the body without telling its length first. */
  readonly isChunked?: boolean
}

/** One request on a connection of its own, with exactly these headers and what HTTP itself adds. */
export function ask(url: string, given: Ask = {}): Promise<Answer> {
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
    // A first write without an end makes it chunked.
    if (isChunked) outgoing.write(body)
    outgoing.end(isChunked ? undefined : body)
  })
}

async function asPublished(
  reading: Promise<Answer>,
  { method, url }: { readonly method: string; readonly url: string },
): Promise<Answer> {
  const answer = await reading
  const { status, text, headers } = answer
  const isJson = headers['content-type']?.startsWith('application/json') === true
  const isOfApi = headers['paycli-version'] !== undefined && isJson && method !== 'HEAD'
  // What was asked is taken as it is: a URL would tidy it.
  if (isOfApi) checkAnswer({ method, path: url.replace(/^[a-z]+:\/\/[^/]*/, ''), status, text })
  return answer
}

/** A request with a JSON body and a key. */
export function post(url: string, key: string, fields: object): Promise<Answer> {
  return ask(url, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(fields),
  })
}

/**
 * Sends text that need not be HTTP and resolves with the answer; it must ask for the connection to be closed. `isAll`
 * says that nothing more will come, so that nobody waits for the rest of what is incomplete.
 */
export function shout(url: string, text: string, { isAll = false } = {}): Promise<Answer> {
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
    // A server that has answered and read not all is cut off hard; what it said counts all the same.
    socket.on('error', (error) => received === '' && reject(error))
    socket.on('close', () => resolve(parse(received)))
  })
}

/** The fields of an answer that is a JSON object. */
export function fieldsOf<T = Record<string, unknown>>({ text }: Answer): T {
  return JSON.parse(text) as T
}

/** The error that an answer tells of. */
export function errorOf(answer: Answer): Record<string, unknown> {
  return fieldsOf<{ error: Record<string, unknown> }>(answer).error
}

async function read(response: IncomingMessage): Promise<Answer> {
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

function parse(received: string): Answer {
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
