import type { WebhookDelivery } from '../../../domain/events/webhook-deliveries.ts'
import { findFailedDeliveries } from '../../data/delivery-states.ts'

/** The progress of a resend of all failed deliveries. */
export interface ResendProgress {
  readonly total: number
  readonly resent: number
  /** The error messages of deliveries that could not be resent. */
  readonly errors: readonly string[]
}

interface ResendAllOptions {
  /** Reads a page of the filtered list that follows a delivery, newest first. */
  readonly read: (
    after: string | undefined,
  ) => Promise<{ readonly data: readonly WebhookDelivery[]; readonly has_more: boolean }>
  /** Sends the event of a delivery again; resolves with the message of an error, or null. */
  readonly resend: (delivery: WebhookDelivery) => Promise<string | null>
}

/** Maximum number of attempts that are searched for failed attempts. */
export const MAX_SEARCHED = 1000

/**
 * Sends each event again whose newest attempt of the list failed, oldest first and one after the other. Yields its
 * progress, null during the search. It stops when the caller ends the iteration.
 */
export async function* resendAllFailed({
  read,
  resend,
}: ResendAllOptions): AsyncGenerator<ResendProgress | null> {
  const found: WebhookDelivery[] = []
  for (let hasMore = true; hasMore && found.length < MAX_SEARCHED; ) {
    const page = await read(found.at(-1)?.id)
    found.push(...page.data)
    hasMore = page.has_more && page.data.length > 0
    yield null
  }
  const failed = findFailedDeliveries(found).toReversed()
  const progress = { total: failed.length, resent: 0 }
  const errors: string[] = []
  yield { ...progress, errors: [...errors] }
  for (const delivery of failed) {
    const error = await resend(delivery)
    if (error === null) progress.resent += 1
    else errors.push(error)
    yield { ...progress, errors: [...errors] }
  }
}
