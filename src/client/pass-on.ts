import { once } from 'node:events'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'

/**
 * Sends a request that came in on to a service, asking for an answer that is not packed, and resolves with that answer,
 * of which nothing is read yet; rejects when the service cannot be reached.
 */
export async function passOn(
  base: string,
  { method, url = '/', headers }: IncomingMessage,
  body: Buffer,
): Promise<IncomingMessage> {
  const { origin, host, pathname, protocol } = new URL(base)
  const { request } =
    protocol === 'https:' ? process.getBuiltinModule('node:https') : process.getBuiltinModule('node:http')
  const path = pathname.replace(/\/$/, '') + url
  // The address is another one, and whoever notes the answer wants to read it.
  const own = { host, 'accept-encoding': 'identity' }
  const outgoing = request(origin, {
    method,
    path,
    headers: { ...withoutHops(headers), ...own },
    agent: false,
  })
  outgoing.end(body)
  const [answer]: IncomingMessage[] = await once(outgoing, 'response')
  // Whatever happens from now on is told by the answer itself.
  outgoing.on('error', () => {})
  if (answer === undefined) throw new Error('there was no answer')
  return answer
}

/** Headers without what is said of one connection only (RFC 9110, 7.6.1). */
export function withoutHops(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const {
    connection: _connection,
    'keep-alive': _keepAlive,
    'transfer-encoding': _coding,
    ...others
  } = headers
  return others
}
