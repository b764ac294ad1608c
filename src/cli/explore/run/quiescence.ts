import { ApiError } from '../../../client/api-error.ts'
import type { Client } from '../../../client/client.ts'
import type { CallableOperation } from '../../../client/request.ts'
import { waitUnlessAborted } from '../../../client/timing.ts'
import type { WebhookDelivery } from '../../../domain/events/webhook-deliveries.ts'
import type { RunRecorder } from './run-recorder.ts'
import { readDeliveryAttempts } from './sandbox-objects.ts'

export interface QuiescenceOptions {
  readonly client: Client
  readonly recorder: Pick<RunRecorder, 'idleMs'>
  readonly signal: AbortSignal
  readonly nowMs: () => number
}

const SEND: CallableOperation = { method: 'POST', path: '/v1/webhook_deliveries/:id/send' }
const PENDING = { status: 'pending' } as const
/** Maximum number of delivery attempts of an event that the app does not acknowledge. */
const MAX_ATTEMPTS = 8
/** The time without a request in progress before the app counts as idle. */
const IDLE_MS = 50
const MIN_POLL_MS = 8
const MAX_POLL_MS = 60
/** Maximum wait for an app that never stops sending requests. */
const MAX_WAIT_MS = 30_000

/** Creates the watch of a run. The watch waits until the app is quiet, and sends retries and held deliveries early. */
export function createQuiescenceWatch({ client, recorder, signal, nowMs }: QuiescenceOptions) {
  /** The ids of the deliveries that this watch sent early. */
  const sent = new Set<string>()

  async function send({ id }: WebhookDelivery): Promise<void> {
    sent.add(id)
    try {
      await client.send(SEND, { id })
    } catch (error) {
      // Ignore client errors: the delivery is no longer pending.
      if (!(error instanceof ApiError) || error.status >= 500) throw error
    }
  }

  /**
   * Sends retries and held deliveries if the app has been idle for a time and no delivery is due. Resolves with their
   * number, or with null if the app is not idle.
   */
  async function sendIfIdle(idleMs: number): Promise<number | null> {
    const pending = await readDeliveryAttempts(client, PENDING)
    const waiting = pending.filter((one) => !sent.has(one.id) && isPostponed(one))
    const due = pending.filter((one) => !waiting.includes(one) && one.attempt <= MAX_ATTEMPTS)
    if (due.length > 0 || recorder.idleMs() < idleMs) return null
    // Retries follow after the app has handled all other deliveries, as in production, where retries take seconds or
    // minutes.
    const sendable = inSendingOrder(waiting.filter(({ attempt }) => attempt <= MAX_ATTEMPTS))
    for (const delivery of sendable) await send(delivery)
    return sendable.length
  }

  return {
    /** Resolves when the app has received every due delivery, or after the timeout in milliseconds. */
    async waitUntilDelivered(timeoutMs: number) {
      const startedMs = nowMs()
      while (nowMs() - startedMs < timeoutMs) {
        const pending = await readDeliveryAttempts(client, PENDING)
        if (pending.every(isPostponed)) return
        await waitUnlessAborted(MIN_POLL_MS, signal)
      }
    },
    /** Returns whether a delivery has not ended yet. */
    async hasPending(): Promise<boolean> {
      const pending = await readDeliveryAttempts(client, PENDING)
      return pending.some(({ attempt }) => attempt <= MAX_ATTEMPTS)
    },
    /** Sends retries and held deliveries whenever the app has been idle for a time, until the scenario ends. */
    async sendDuring<T>(scenario: Promise<T>, idleMs: number): Promise<T> {
      const end = new AbortController()
      const sending = async () => {
        while (!end.signal.aborted) {
          await waitUnlessAborted(MAX_POLL_MS, end.signal)
          if (recorder.idleMs() >= idleMs) await sendIfIdle(idleMs)
        }
      }
      // Ignore the error: `waitUntilQuiet` rejects with the error of a failed request too.
      const sent = sending().catch(() => {})
      return scenario.finally(() => {
        end.abort()
        return sent
      })
    },
    /** Resolves when no request is in progress and no delivery follows, or after 30 s. */
    async waitUntilQuiet() {
      const startedMs = nowMs()
      for (let pollMs = MIN_POLL_MS; ; pollMs = Math.min(pollMs * 1.5, MAX_POLL_MS)) {
        signal.throwIfAborted()
        const count = await sendIfIdle(IDLE_MS)
        if (count === 0 || nowMs() - startedMs >= MAX_WAIT_MS) return
        if (count !== null) pollMs = MIN_POLL_MS
        const restMs = IDLE_MS - recorder.idleMs()
        await waitUnlessAborted(restMs > 0 ? Math.min(pollMs, restMs) : pollMs, signal)
      }
    },
  }
}

// Held deliveries are sent newest first, so that each arrives after every later delivery. Retries keep their order.
function inSendingOrder(waiting: readonly WebhookDelivery[]): readonly WebhookDelivery[] {
  const isHeld = ({ attempt }: WebhookDelivery) => attempt === 1
  return [...waiting.filter((one) => !isHeld(one)), ...waiting.filter(isHeld).reverse()]
}

/** Returns whether a delivery is a retry, or deferred by a fault, so that it is sent at a later time. */
function isPostponed({ attempt, fault }: WebhookDelivery): boolean {
  return attempt > 1 || fault !== null
}
