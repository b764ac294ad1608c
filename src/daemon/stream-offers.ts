import { DomainError } from '../domain/domain-error.ts'
import { NotAttemptedError } from '../webhooks/not-attempted-error.ts'
import type { SendResult } from '../webhooks/send.ts'

const LEASE_MS = 30_000
const MAX_EARLY_RESULTS = 1000

interface PendingOffer {
  readonly reader: string
  readonly untilMs: number
  readonly settle: (result: SendResult) => void
  readonly fail: (error: NotAttemptedError) => void
}

interface PendingAcknowledgement {
  readonly untilMs: number
  readonly promise: Promise<true>
  readonly resolve: (isTaken: true) => void
  readonly reject: (error: DomainError) => void
}

interface EarlyResult {
  readonly untilMs: number
  readonly result: SendResult
}

/** The deliveries offered to listeners, each leased for 30 s. */
export interface StreamOffers {
  /** Leases a delivery to a reader; rejects with NotAttemptedError when no result arrives within the lease. */
  readonly add: (delivery: string, reader: string) => Promise<SendResult>
  /**
   * Accepts the result of an offer. Resolves with true once it is stored, or rejects with `unavailable` after 30 s. Resolves
   * with false when the delivery is not offered; the result then counts if the delivery is offered within 30 s, because a
   * listener may outlive the process that made the offer.
   */
  readonly reportResult: (delivery: string, result: SendResult | 'skipped') => Promise<boolean>
  /** Marks the result of a delivery as stored. */
  readonly confirmStored: (delivery: string) => void
  /** Returns the result reported for a delivery before it was offered. */
  readonly earlyResult: (delivery: string) => SendResult | undefined
  /** Withdraws the offers of a reader, or all of them, so that they are offered again. */
  readonly withdraw: (reason: string, reader?: string) => void
  readonly expireLeases: () => void
}

/** Creates an empty set of offers. */
export function createStreamOffers(nowMs: () => number): StreamOffers {
  const offers = new Map<string, PendingOffer>()
  const earlyResults = new Map<string, EarlyResult>()
  const unstored = new Map<string, PendingAcknowledgement>()

  function withdrawWhere(isMatch: (offer: PendingOffer) => boolean, reason: string): void {
    for (const [id, offer] of [...offers]) {
      if (!isMatch(offer)) continue
      offers.delete(id)
      offer.fail(new NotAttemptedError(reason))
    }
  }

  function keepEarlyResult(delivery: string, result: SendResult): void {
    earlyResults.set(delivery, { untilMs: nowMs() + LEASE_MS, result })
    const [oldest] = earlyResults.keys()
    if (earlyResults.size > MAX_EARLY_RESULTS && oldest !== undefined) earlyResults.delete(oldest)
  }

  return {
    add(delivery, reader) {
      const { promise, resolve: settle, reject: fail } = Promise.withResolvers<SendResult>()
      offers.set(delivery, { reader, untilMs: nowMs() + LEASE_MS, settle, fail })
      return promise
    },
    async reportResult(delivery, result) {
      const offer = offers.get(delivery)
      offers.delete(delivery)
      if (result === 'skipped') {
        offer?.fail(new NotAttemptedError("the listener's filter excludes the event", true))
        return offer !== undefined
      }
      // A repeated report waits for the same write.
      const acknowledgement = unstored.get(delivery)
      if (acknowledgement !== undefined) return acknowledgement.promise
      if (offer === undefined) {
        keepEarlyResult(delivery, result)
        return false
      }
      const { promise, resolve, reject } = Promise.withResolvers<true>()
      unstored.set(delivery, { untilMs: nowMs() + LEASE_MS, promise, resolve, reject })
      offer.settle(result)
      return promise
    },
    confirmStored(delivery) {
      unstored.get(delivery)?.resolve(true)
      unstored.delete(delivery)
    },
    earlyResult: (delivery) => earlyResults.get(delivery)?.result,
    withdraw: (reason, reader) =>
      withdrawWhere((offer) => reader === undefined || offer.reader === reader, reason),
    expireLeases() {
      withdrawWhere(({ untilMs }) => untilMs <= nowMs(), 'no result arrived within the lease')
      for (const [id, { untilMs, reject }] of unstored) {
        if (untilMs > nowMs()) continue
        unstored.delete(id)
        reject(new DomainError('unavailable', 'Cannot store the result in time. Post it again.'))
      }
      for (const [id, { untilMs }] of earlyResults) if (untilMs <= nowMs()) earlyResults.delete(id)
    },
  }
}
