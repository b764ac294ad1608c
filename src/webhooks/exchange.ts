import type { ClientRequest, IncomingMessage } from 'node:http'

/** Maximum number of 1xx responses before the final response. */
export const MAX_INFORMATIONAL_RESPONSES = 10

const SWITCHING_PROTOCOLS = 101

/** The reason why an exchange ended before its response was complete. */
export type ExchangeFailure = Error | 'timeout' | 'protocol'

/** The received part of a response. */
export interface ReceivedResponse {
  readonly status: number | null
  /** The `Retry-After` header, or null. */
  readonly retryAfter: string | null
  readonly chunks: readonly Buffer[]
  /** The reason why the response is incomplete, or null. */
  readonly failure: ExchangeFailure | null
}

/** Resolves after a number of turns of the event loop. */
export async function waitForEventLoopTurns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve))
}

/**
 * Receives the response to one request; a failure is a part of the result. Stops reading after the first chunk that
 * exceeds `maxBytes`. `timeoutMs` is the time for the connection, the headers and the body together.
 */
export function receiveResponse(
  request: ClientRequest,
  maxBytes: number,
  timeoutMs: number,
): Promise<ReceivedResponse> {
  const { promise, resolve } = Promise.withResolvers<ReceivedResponse>()
  const chunks: Buffer[] = []
  let response: IncomingMessage | null = null

  function end(failure: ExchangeFailure | null): void {
    clearTimeout(timer)
    const status = response?.statusCode ?? null
    const retryAfter = response?.headers['retry-after'] ?? null
    // A complete response succeeds even if the connection fails afterwards.
    resolve({ status, retryAfter, chunks, failure: response?.complete === true ? null : failure })
  }

  function abort(failure: ExchangeFailure): void {
    end(failure)
    request.destroy()
  }

  const timer = setTimeout(() => abort('timeout'), timeoutMs)
  let informational = 0
  let size = 0
  request.on('information', () => {
    informational += 1
    if (informational > MAX_INFORMATIONAL_RESPONSES) abort('protocol')
  })
  // Without a listener for 'upgrade', a request with a 101 response would never end.
  request.on('upgrade', () => abort('protocol'))
  request.on('response', (received) => {
    // A response 101 without an Upgrade header emits no 'upgrade' event.
    if (received.statusCode === SWITCHING_PROTOCOLS) return abort('protocol')
    response = received
    received.on('error', end)
    received.on('end', () => end(null))
    received.on('data', (chunk: Buffer) => {
      if (size > maxBytes) return
      chunks.push(chunk)
      size += chunk.length
      if (size <= maxBytes) return
      end(null)
      // Keep the connection if this chunk completes the response.
      queueMicrotask(() => received.complete || received.destroy())
    })
  })
  request.on('error', end)
  return promise
}
