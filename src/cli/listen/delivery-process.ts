import type { StreamOffer } from '../../api/resources/streams.ts'
import type { Client } from '../../client/client.ts'
import { isPassing } from '../../client/follow.ts'
import { pause, withinMs } from '../../client/pause.ts'
import type { WebhookDelivery } from '../../domain/webhook-deliveries.ts'

/** A service that is started anew should be told before it offers the same to another listener. */
const PAUSE_MS = 200
/** As long as an offer's lease. */
const PATIENCE_MS = 30_000

/** How many results are remembered in case that nobody has them. */
export const RESULTS_REMEMBERED = 1000
/** Where a listener reports what came of an offer. */
export const RESULTS = { method: 'POST', path: '/v1/stream/results' } as const
/** Where a listener says that it is gone. */
export const LEAVE = { method: 'POST', path: '/v1/stream/leave' } as const

/** One POST to a target. */
export type Outbound = StreamOffer['request']

/** What came of it. */
export type Outcome = Pick<
  WebhookDelivery,
  'http_status' | 'error' | 'error_message' | 'response_body' | 'response_body_truncated'
> & { readonly duration_ms: number; readonly retry_after: string | null }

/** What a listener says when it goes: which reader it was, and for which endpoints it will not come back. */
export interface Farewell {
  readonly reader: string
  readonly webhook_endpoints?: readonly string[]
}

/** What a carrier is told first: whom to report to, and how to send. */
export interface Beginning {
  readonly apiBase: string
  readonly apiKey: string | undefined
  readonly isAnyCertificateTaken: boolean
}

/** What a listener has its carrier do. */
export type Errand =
  | { readonly kind: 'send'; readonly delivery: string; readonly request: Outbound }
  /** The service knows the result, so that nobody else need tell it. */
  | { readonly kind: 'reported'; readonly delivery: string }
  /** What to say for the listener once it is gone; null when there is nothing to say. */
  | { readonly kind: 'farewell'; readonly farewell: Farewell | null }

/** What a carrier tells its listener. */
export interface Carried {
  readonly delivery: string
  readonly outcome: Outcome
}

export interface CarryingOptions {
  readonly client: Client
  readonly send: (request: Outbound) => Promise<Outcome>
  readonly tell: (carried: Carried) => void
  /** How long to wait before a report is tried again, in milliseconds; 0.2 s unless given. */
  readonly pauseMs?: number
  /** How long a service that is away is waited for, in milliseconds; 30 s unless given. */
  readonly patienceMs?: number
}

interface Report {
  readonly operation: typeof RESULTS | typeof LEAVE
  readonly params: object
}

export interface Carrying {
  /** Does what the listener asks for; what cannot be sent at all has failed. */
  readonly take: (errand: Errand) => Promise<void>
  /**
   * The listener is gone: finishes what is on its way, reports what came of everything the service may not know, and says
   * farewell, until the service has been away for half a minute. Rejects when it says no to something, with the first no.
   */
  readonly finish: () => Promise<void>
}

/** The duty of a carrier: it sends for a listener that may be killed at any time, and then reports in its place. */
export function createCarrying({
  client,
  send,
  tell,
  pauseMs = PAUSE_MS,
  patienceMs = PATIENCE_MS,
}: CarryingOptions): Carrying {
  const underway = new Set<Promise<void>>()
  const unreported = new Map<string, Outcome>()
  let farewell: Farewell | null = null

  async function carry(delivery: string, request: Outbound): Promise<void> {
    const outcome = await send(request).catch(failedBy)
    unreported.set(delivery, outcome)
    const [eldest] = unreported.keys()
    if (unreported.size > RESULTS_REMEMBERED && eldest !== undefined) unreported.delete(eldest)
    tell({ delivery, outcome })
  }

  // A service that is starting anew takes a result as well as the one that made the offer.
  async function report({ operation, params }: Report, signal: AbortSignal): Promise<void> {
    for (;;) {
      try {
        await client.send(operation, params)
        return
      } catch (error) {
        if (!isPassing(error)) throw error
        await pause(pauseMs, signal)
      }
    }
  }

  // One that the service does not want must not keep it from the others.
  async function reportAll(reports: readonly Report[], signal: AbortSignal): Promise<void> {
    const refusals: unknown[] = []
    for (const one of reports) {
      if (signal.aborted) break
      await report(one, signal).catch((error) => refusals.push(error))
    }
    if (refusals.length > 0) throw refusals[0]
  }

  return {
    async take(errand) {
      if (errand.kind === 'reported') unreported.delete(errand.delivery)
      else if (errand.kind === 'farewell') farewell = errand.farewell
      else {
        const work = carry(errand.delivery, errand.request)
        underway.add(work)
        await work.finally(() => underway.delete(work))
      }
    },
    async finish() {
      await Promise.all(underway)
      const results = [...unreported].map(([delivery, outcome]) => ({
        operation: RESULTS,
        params: { delivery, ...outcome },
      }))
      const last = farewell === null ? [] : [{ operation: LEAVE, params: farewell }]
      await withinMs(patienceMs, (signal) => reportAll([...results, ...last], signal))
    },
  }
}

// Some requests cannot be sent at all; that is what came of them, and no reason to fail the others.
function failedBy(error: Error): Outcome {
  return {
    ...{ http_status: null, error: 'connection', error_message: error.message, duration_ms: 0 },
    ...{ response_body: null, response_body_truncated: false, retry_after: null },
  }
}
