import { once } from 'node:events'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { parseBaseUrl } from './send-request.ts'

/** The part of an incoming request that is forwarded besides its body. */
type ForwardedRequest = Pick<IncomingMessage, 'method' | 'url' | 'headers'>

/** Forwards an incoming request to a server and returns the unread, uncompressed response; rejects without a response. */
export async function proxyRequest(
  base: string,
  { method, url = '/', headers }: ForwardedRequest,
  body: Buffer,
): Promise<IncomingMessage> {
  const { origin, host, prefix, http } = parseBaseUrl(base)
  const outgoing = http.request(origin, {
    method,
    path: prefix + url,
    // The caller records the response, so it must not be compressed.
    headers: { ...withoutHopByHopHeaders(headers), host, 'accept-encoding': 'identity' },
    agent: false,
  })
  outgoing.end(body)
  const [response]: IncomingMessage[] = await once(outgoing, 'response')
  // The response reports later errors.
  outgoing.on('error', () => {})
  if (response === undefined) throw new Error('there was no response')
  return response
}

/** Returns the headers without hop-by-hop headers (RFC 9110, 7.6.1). */
export function withoutHopByHopHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const {
    connection: _connection,
    'keep-alive': _keepAlive,
    'transfer-encoding': _coding,
    ...others
  } = headers
  return others
}
