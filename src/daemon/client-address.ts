import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'

/**
 * Returns the client address of a request: the remote address of the connection or, behind a trusted proxy, the last address
 * in `X-Forwarded-For`, which the proxy added. Earlier addresses come from the client and are not reliable.
 */
export function findClientAddress(
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  isProxyTrusted: boolean,
): string {
  const remoteAddress = socket.remoteAddress ?? ''
  if (!isProxyTrusted) return remoteAddress
  const last = String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .at(-1)
    ?.trim()
  return last === undefined || isIP(last) === 0 ? remoteAddress : last
}
