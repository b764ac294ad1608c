import { NotAttemptedError } from '../../webhooks/not-attempted-error.ts'
import type { SendResult } from '../../webhooks/send.ts'

const LEASE_MS = 30_000

interface StreamOffer {
  readonly reader: string
  readonly untilMs: number
  readonly result: PromiseWithResolvers<SendResult>
  /** Resolves with whether the reported result was stored. */
  readonly stored: PromiseWithResolvers<boolean>
}

/** Creates an empty set of deliveries offered to listeners, each leased for 30 s. */
export function createStreamOffers(nowMs: () => number) {
  const offers = new Map<string, StreamOffer>()

  function endOffer(delivery: string, offer: StreamOffer, error: NotAttemptedError): void {
    offers.delete(delivery)
    // An offer with a result is not rejected: its promise is already resolved, and only the storage is pending.
    offer.result.reject(error)
    offer.stored.resolve(false)
  }

  function withdrawWhere(isMatch: (offer: StreamOffer) => boolean, reason: string): void {
    for (const [id, offer] of [...offers]) {
      if (isMatch(offer)) endOffer(id, offer, new NotAttemptedError(reason))
    }
  }

  return {
    /** Leases a delivery to a reader; rejects with NotAttemptedError when the offer ends without a result. */
    add(delivery: string, reader: string): Promise<SendResult> {
      const result = Promise.withResolvers<SendResult>()
      const stored = Promise.withResolvers<boolean>()
      offers.set(delivery, { reader, untilMs: nowMs() + LEASE_MS, result, stored })
      return result.promise
    },
    /** Accepts the result of an offer. Resolves with true once the result is stored, and otherwise with false. */
    async reportResult(delivery: string, result: SendResult | 'skipped'): Promise<boolean> {
      const offer = offers.get(delivery)
      if (offer === undefined) return false
      if (result !== 'skipped') {
        offer.result.resolve(result)
        return offer.stored.promise
      }
      endOffer(delivery, offer, new NotAttemptedError("the listener's filter excludes the event", true))
      return true
    },
    /** Marks the result of a delivery as stored. */
    confirmStored(delivery: string): void {
      offers.get(delivery)?.stored.resolve(true)
      offers.delete(delivery)
    },
    /** Withdraws the offers of a reader, or all offers, so that the deliveries are offered again. */
    withdraw: (reason: string, reader?: string) =>
      withdrawWhere((offer) => reader === undefined || offer.reader === reader, reason),
    expireLeases: () =>
      withdrawWhere(({ untilMs }) => untilMs <= nowMs(), 'no result arrived within the lease'),
  }
}
