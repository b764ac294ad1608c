import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { findOperation } from '../../../api/api.ts'
import { proxyRequest, withoutHopByHopHeaders } from '../../../client/proxy-request.ts'
import { readBodyBytes } from '../../webhook-tools/local-server.ts'
import { findAppKillPhase, type ScheduledFault } from '../model/schedule.ts'
import type { ScenarioRun } from './run-context.ts'

/** The time that the connection of a lost response stays open for deliveries. Client timeouts are longer. */
const MAX_LOSS_DELAY_MS = 500

/**
 * Forwards a request of the app to the API, records it and applies its scheduled fault. A header makes the server apply
 * the fault, except for `restart`. The proxy forwards lost and truncated responses unchanged.
 */
export async function forwardApiRequest(
  request: IncomingMessage,
  response: ServerResponse,
  { apiBase, recorder, app, barrier, quiescence }: ScenarioRun,
): Promise<void> {
  const { method = 'GET', url = '/', headers } = request
  const point = recorder.countRequest(getOperationName(method, url))
  const scheduled = recorder.takeFault(point)
  const restart = findAppKillPhase(scheduled)
  const recorded = {
    ...{ point, method, path: url, idempotencyKey: headers['idempotency-key']?.toString() ?? null },
    ...{ status: null, fault: scheduled?.fault ?? null, atMs: recorder.elapsedMs() },
  }
  recorder.requests.push(recorded)
  const end = recorder.beginActivity()
  try {
    const body = await readBodyBytes(request)
    if (restart === 'before') return await app.restart()
    await barrier.pass(point.operation)
    const upstream = await proxyRequest(
      apiBase,
      { method, url, headers: withFault(headers, scheduled) },
      body,
    )
    if (restart !== null) {
      upstream.resume()
      return await app.restart()
    }
    // A stream stays open as long as the app runs, so a stream does not count as activity.
    if (/event-stream/.test(upstream.headers['content-type'] ?? '')) end()
    if (!response.destroyed) Object.assign(recorded, { status: upstream.statusCode })
    await forwardResponse(upstream, response)
  } finally {
    // A client notices a lost response late, usually after the deliveries that its request caused.
    if (scheduled?.fault === 'drop_response') await quiescence.waitUntilDelivered(MAX_LOSS_DELAY_MS)
    end()
    // After a restart or an error of the server, the app gets no response.
    if (!response.writableEnded) response.destroy()
  }
}

/** Sends the response of another server with its status, headers and body. A truncated body stays truncated. */
export async function forwardResponse(upstream: IncomingMessage, response: ServerResponse): Promise<void> {
  if (response.destroyed) {
    upstream.resume()
    return
  }
  response.writeHead(upstream.statusCode ?? 502, withoutHopByHopHeaders(upstream.headers))
  await pipeline(upstream, response)
}

function withFault(headers: IncomingMessage['headers'], scheduled: ScheduledFault | null) {
  if (scheduled === null || scheduled.fault === 'restart') return headers
  const { moment: _moment, ...options } = scheduled.options
  const words = Object.entries(options).map(([name, value]) => `${name}=${value}`)
  return { ...headers, 'paycli-fault': [scheduled.fault, ...words].join('; ') }
}

/** Returns the operation of a request, such as `payment_sessions.create`, else its method and path. */
export function getOperationName(method: string, url: string): string {
  const path = url.replace(/\?.*$/s, '')
  return findOperation(method, path)?.wireName ?? `${method} ${path}`
}
