import { webhookDeliveries } from '../../api/operations/webhook-deliveries.ts'
import type { Client } from '../../client/client.ts'
import { waitUnlessAborted } from '../../client/timing.ts'

const POLL_MS = 50
const MAX_DUE = 99
/** The maximum number of failed delivery attempts that are counted: the size of a page of deliveries. */
export const MAX_FAILED_ATTEMPTS = 100

/** Limiter that makes a simulation wait for the handler of its webhooks. */
export type DeliveryBacklogLimiter = ReturnType<typeof createDeliveryBacklogLimiter>

/** Creates the limiter of an endpoint. */
export function createDeliveryBacklogLimiter(client: Client, endpoint: string, signal: AbortSignal) {
  const list = (status: 'pending' | 'failed') =>
    client.call(webhookDeliveries.list, { webhook_endpoint: endpoint, status, limit: MAX_FAILED_ATTEMPTS })
  // Retries of failed deliveries are pending for hours, so only deliveries that are due count.
  async function countDue(): Promise<number> {
    const [{ data }, now] = await Promise.all([list('pending'), client.now()])
    return data.filter(({ next_attempt_at: at }) => at === null || at <= now).length
  }
  return {
    /** Waits until at most `max` deliveries are due (default: 99). */
    async wait(max = MAX_DUE): Promise<void> {
      while (!signal.aborted && (await countDue()) > max)
        await waitUnlessAborted(POLL_MS, signal).catch(() => {})
    },
    /** Returns the number of failed delivery attempts, at most 100. */
    async countFailed(): Promise<number> {
      return (await list('failed')).data.length
    },
  }
}
