import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'

/**
 * The address of whoever asks: the other end of the connection. Behind a proxy that is trusted it is the last one of
 * `X-Forwarded-For`, which that proxy added; those before it are only what somebody sent.
 */
export function visitorAddress(
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  isProxyTrusted: boolean,
): string {
  const own = socket.remoteAddress ?? ''
  if (!isProxyTrusted) return own
  const last = String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .at(-1)
    ?.trim()
  return last === undefined || isIP(last) === 0 ? own : last
}
