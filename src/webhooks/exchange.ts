import type { Dispatcher } from 'undici'

/** Maximum number of 1xx responses before the final response. */
export const MAX_INFORMATIONAL = 10

/** Why an exchange ended before its response was complete. */
export type ExchangeFailure = Error | 'timeout' | 'protocol'

/**
 * Receives the response to one request. It ends once: with the response, after one chunk past `maxBytes`, or with a failure.
 * undici calls it directly, because the stream and the signal of `request` take as long as sending the request.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  status: number | null = null
  retryAfter: string | null = null
  readonly chunks: Buffer[] = []
  readonly #maxBytes: number
  readonly #ended = Promise.withResolvers<ExchangeFailure | null>()
  #controller: Dispatcher.DispatchController | null = null
  #isEnded = false
  #size = 0
  #informational = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Resolves with the failure, or null. */
  get ended(): Promise<ExchangeFailure | null> {
    return this.#ended.promise
  }

  /** Ends the exchange, and closes its connection unless the response is complete. */
  abort(failure: ExchangeFailure | null): void {
    this.#end(failure)
    this.#controller?.abort(new Error('The exchange has ended.'))
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    // The timeout also covers the time until the connection is established.
    if (this.#isEnded) this.abort(null)
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    if (status < 200) {
      this.#informational += 1
      if (this.#informational > MAX_INFORMATIONAL) this.abort('protocol')
      return
    }
    this.status = status
    this.retryAfter = firstValue(headers['retry-after'])
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.#isEnded) this.#keep(chunk)
  }

  onResponseEnd(): void {
    this.#end(null)
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#end(error)
  }

  #keep(chunk: Buffer): void {
    this.chunks.push(chunk)
    this.#size += chunk.length
    if (this.#size <= this.#maxBytes) return
    this.#end(null)
    // Not within the parser of undici, which asserts that a request that it completes is not aborted. A response whose end
    // has arrived with this chunk keeps its connection.
    queueMicrotask(() => this.abort(null))
  }

  #end(failure: ExchangeFailure | null): void {
    this.#isEnded = true
    this.#ended.resolve(failure)
  }
}

function firstValue(header: string | string[] | undefined): string | null {
  return (Array.isArray(header) ? header[0] : header) ?? null
}
