import type { WebhookDelivery } from '../../../domain/events/webhook-deliveries.ts'
import { findFailedDeliveries } from '../../data/delivery-states.ts'

/** The progress of a resend of all failed deliveries. */
export interface ResendProgress {
  readonly total: number
  readonly resent: number
  /** The error messages of deliveries that could not be resent. */
  readonly errors: readonly string[]
}

export interface ResendAllOptions {
  /** Reads a page of the filtered list that follows a delivery, newest first. */
  readonly read: (
    after: string | undefined,
  ) => Promise<{ readonly data: readonly WebhookDelivery[]; readonly has_more: boolean }>
  /** Sends the event of a delivery again; resolves with the message of an error, or null. */
  readonly resend: (delivery: WebhookDelivery) => Promise<string | null>
  readonly onProgress: (progress: ResendProgress) => void
  readonly isStopped: () => boolean
}

/** Maximum number of attempts that are searched for failed ones. */
export const MAX_SEARCHED = 1000

/** Sends each event again whose newest attempt of the list failed, oldest first and one after the other. */
export async function resendAllFailed(options: ResendAllOptions): Promise<ResendProgress> {
  const { resend, onProgress, isStopped } = options
  const failed = findFailedDeliveries(await readNewest(options)).toReversed()
  let progress: ResendProgress = { total: failed.length, resent: 0, errors: [] }
  onProgress(progress)
  for (const delivery of failed) {
    if (isStopped()) break
    const error = await resend(delivery)
    const { resent, errors } = progress
    progress =
      error === null ? { ...progress, resent: resent + 1 } : { ...progress, errors: [...errors, error] }
    onProgress(progress)
  }
  return progress
}

async function readNewest({ read, isStopped }: ResendAllOptions): Promise<readonly WebhookDelivery[]> {
  const found: WebhookDelivery[] = []
  for (let hasMore = true; hasMore && found.length < MAX_SEARCHED && !isStopped(); ) {
    const page = await read(found.at(-1)?.id)
    found.push(...page.data)
    hasMore = page.has_more && page.data.length > 0
  }
  return found
}
