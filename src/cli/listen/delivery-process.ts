import type { StreamOffer } from '../../api/resources/streams.ts'
import type { Client } from '../../client/client.ts'
import { isTransient } from '../../client/follow-stream.ts'
import { pause, runWithTimeout } from '../../client/pause.ts'
import type { WebhookDelivery } from '../../domain/webhook-deliveries.ts'
import { evictOldest } from './evict-oldest.ts'

/** Short, so that a restarted service has the result before it offers the delivery to another listener. */
const RETRY_PAUSE_MS = 200
/** As long as the lease of an offer. */
const REPORT_TIMEOUT_MS = 30_000

/** Number of results that are kept until the service has them. */
export const MAX_KEPT_RESULTS = 1000
/** Reports the result of an offered delivery. */
export const REPORT_RESULT = { method: 'POST', path: '/v1/stream/results' } as const
/** Ends the connection of a listener. */
export const LEAVE_STREAM = { method: 'POST', path: '/v1/stream/leave' } as const

/** A POST request to a target. */
export type OutboundRequest = StreamOffer['request']

/** The outcome of a POST request to a target. */
export type DeliveryOutcome = Pick<
  WebhookDelivery,
  'http_status' | 'error' | 'error_message' | 'response_body' | 'response_body_truncated'
> & { readonly duration_ms: number; readonly retry_after: string | null }

/** Parameters of `LEAVE_STREAM`: the connection, and the endpoints that the listener will not serve again. */
export interface LeaveRequest {
  readonly reader: string
  readonly webhook_endpoints?: readonly string[]
}

/** The first message to a delivery process. */
export interface DeliveryProcessConfig {
  readonly apiBase: string
  readonly apiKey: string | undefined
  readonly isUntrustedCertificateAllowed: boolean
}

/** A message to a delivery process after its configuration. */
export type DeliveryProcessMessage =
  | { readonly kind: 'send'; readonly delivery: string; readonly request: OutboundRequest }
  /** The service has the result of this delivery. */
  | { readonly kind: 'reported'; readonly delivery: string }
  /** The leave request to send after the listener has ended, or null. */
  | { readonly kind: 'leave'; readonly request: LeaveRequest | null }

/** A message from a delivery process. */
export interface DeliveryResult {
  readonly delivery: string
  readonly outcome: DeliveryOutcome
}

export interface DeliveryRunnerOptions {
  readonly client: Client
  readonly send: (request: OutboundRequest) => Promise<DeliveryOutcome>
  readonly onResult: (result: DeliveryResult) => void
  /** Pause before a report is sent again, in milliseconds (default: 200). */
  readonly retryPauseMs?: number
  /** Maximum time for all reports, in milliseconds (default: 30,000). */
  readonly reportTimeoutMs?: number
}

interface Report {
  readonly operation: typeof REPORT_RESULT | typeof LEAVE_STREAM
  readonly params: object
}

export interface DeliveryRunner {
  /** Handles a message. A request that cannot be sent becomes a failed delivery. */
  readonly handle: (message: DeliveryProcessMessage) => Promise<void>
  /**
   * Finishes all deliveries, then reports unreported results and sends the leave request, after the listener has ended.
   * Retries until the timeout while the service is unavailable. Rejects with the first error response of the service.
   */
  readonly finish: () => Promise<void>
}

/** Creates the runner of a delivery process. The listener may be killed at any time. */
export function createDeliveryRunner({
  client,
  send,
  onResult,
  retryPauseMs = RETRY_PAUSE_MS,
  reportTimeoutMs = REPORT_TIMEOUT_MS,
}: DeliveryRunnerOptions): DeliveryRunner {
  const running = new Set<Promise<void>>()
  const unreported = new Map<string, DeliveryOutcome>()
  let leaveRequest: LeaveRequest | null = null

  async function deliver(delivery: string, request: OutboundRequest): Promise<void> {
    const outcome = await send(request).catch(outcomeOfError)
    unreported.set(delivery, outcome)
    evictOldest(unreported, MAX_KEPT_RESULTS)
    onResult({ delivery, outcome })
  }

  // A restarted service accepts a result as well as the one that made the offer.
  async function report({ operation, params }: Report, signal: AbortSignal): Promise<void> {
    for (;;) {
      try {
        await client.send(operation, params)
        return
      } catch (error) {
        if (!isTransient(error)) throw error
        await pause(retryPauseMs, signal)
      }
    }
  }

  // A rejected report must not prevent the others.
  async function reportAll(reports: readonly Report[], signal: AbortSignal): Promise<void> {
    const errors: unknown[] = []
    for (const one of reports) {
      if (signal.aborted) break
      await report(one, signal).catch((error) => errors.push(error))
    }
    if (errors.length > 0) throw errors[0]
  }

  return {
    async handle(message) {
      if (message.kind === 'reported') unreported.delete(message.delivery)
      else if (message.kind === 'leave') leaveRequest = message.request
      else {
        const work = deliver(message.delivery, message.request)
        running.add(work)
        await work.finally(() => running.delete(work))
      }
    },
    async finish() {
      await Promise.all(running)
      const results = [...unreported].map(([delivery, outcome]) => ({
        operation: REPORT_RESULT,
        params: { delivery, ...outcome },
      }))
      const leave = leaveRequest === null ? [] : [{ operation: LEAVE_STREAM, params: leaveRequest }]
      await runWithTimeout(reportTimeoutMs, (signal) => reportAll([...results, ...leave], signal))
    },
  }
}

function outcomeOfError(error: Error): DeliveryOutcome {
  return {
    ...{ http_status: null, error: 'connection', error_message: error.message, duration_ms: 0 },
    ...{ response_body: null, response_body_truncated: false, retry_after: null },
  }
}
