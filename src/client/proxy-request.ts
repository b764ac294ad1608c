import { once } from 'node:events'
import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { getBaseRequestOptions } from './send-request.ts'

/** The forwarded fields of an incoming request except the body, and its `Host` (default: the host of the server). */
type ForwardedRequest = Pick<IncomingMessage, 'method' | 'url' | 'headers'> & {
  readonly signal?: AbortSignal
  readonly host?: string | undefined
}

/** Forwards an incoming request to a server and returns the unread, uncompressed response; rejects without a response. */
export function proxyRequest(
  base: string,
  request: ForwardedRequest,
  body: Buffer,
): Promise<IncomingMessage> {
  const outgoing = openRequest(base, request)
  outgoing.end(body)
  return readResponse(outgoing)
}

/**
 * Forwards copies of an incoming request at the same time and returns their responses, which reject separately. The
 * last byte of each copy is sent after all other bytes, so that the server cannot process one copy before the others.
 */
export async function proxyConcurrentCopies(
  base: string,
  request: ForwardedRequest,
  { body, copies }: { readonly body: Buffer; readonly copies: number },
): Promise<readonly Promise<IncomingMessage>[]> {
  const requests = Array.from({ length: copies }, () => openRequest(base, request))
  const sent = requests.map((outgoing) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const response = readResponse(outgoing)
    // `isSent` also resolves if the connection fails.
    response.catch(() => resolve())
    outgoing.write(body.subarray(0, -1), () => resolve())
    return { outgoing, response, isSent: promise }
  })
  await Promise.all(sent.map(({ isSent }) => isSent))
  for (const { outgoing } of sent) outgoing.end(body.subarray(-1))
  return sent.map(({ response }) => response)
}

function openRequest(
  base: string,
  { method, url = '/', headers, signal, host: given }: ForwardedRequest,
): ClientRequest {
  const { origin, host, prefix, http, lookup } = getBaseRequestOptions(base)
  const outgoing = http.request(origin, {
    ...lookup,
    method,
    path: prefix + url,
    // The caller records the response, so the response must not be compressed.
    headers: { ...withoutHopByHopHeaders(headers), host: given ?? host, 'accept-encoding': 'identity' },
    agent: false,
    ...(signal !== undefined && { signal }),
  })
  // The promise of the response rejects with the first error, and the response reports later errors.
  return outgoing.on('error', () => {})
}

async function readResponse(outgoing: ClientRequest): Promise<IncomingMessage> {
  const [response]: IncomingMessage[] = await once(outgoing, 'response')
  if (response === undefined) throw new Error('there was no response')
  return response
}

/**
 * Returns the headers without `Connection`, `Keep-Alive` and `Transfer-Encoding`, which are hop-by-hop headers (RFC
 * 9110, 7.6.1).
 */
export function withoutHopByHopHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const {
    connection: _connection,
    'keep-alive': _keepAlive,
    'transfer-encoding': _coding,
    ...others
  } = headers
  return others
}
