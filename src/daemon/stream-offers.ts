import { DomainError } from '../domain/domain-error.ts'
import { Unanswered } from '../webhooks/not-attempted-error.ts'
import type { SendResult } from '../webhooks/send.ts'

const LEASE_MS = 30_000
const EARLY_RESULTS_KEPT = 1000

interface Offer {
  readonly reader: string
  readonly untilMs: number
  readonly settle: (result: SendResult) => void
  readonly fail: (error: Unanswered) => void
}

interface Unkept {
  readonly untilMs: number
  readonly promise: Promise<true>
  readonly resolve: (isTaken: true) => void
  readonly reject: (error: DomainError) => void
}

interface EarlyResult {
  readonly untilMs: number
  readonly result: SendResult
}

/** What listeners have been asked to send and have not answered for. */
export interface StreamOffers {
  /** Adds one; resolves with its result, and rejects with Unanswered when none comes within its lease of 30 s. */
  readonly add: (delivery: string, reader: string) => Promise<SendResult>
  /**
   * Takes a result. Resolves with true once it is kept, so that whoever has it may forget it; rejects with `unavailable` when
   * that takes longer than a lease. Resolves with false when its delivery is not on offer: it is then remembered for as long.
   */
  readonly settle: (delivery: string, result: SendResult | 'skipped') => Promise<boolean>
  /** Hears that what came of a delivery is kept. */
  readonly kept: (delivery: string) => void
  /** The result that came for a delivery when it was not on offer; undefined when there is none. */
  readonly early: (delivery: string) => SendResult | undefined
  /** Ends what was offered to a reader, or to all; that is to be offered anew. */
  readonly end: (why: string, reader?: string) => void
  /** Ends leases that are over. */
  readonly tick: () => void
}

/** Offers with their leases. */
export function createStreamOffers(nowMs: () => number): StreamOffers {
  const offers = new Map<string, Offer>()
  const earlyResults = new Map<string, EarlyResult>()
  const unkept = new Map<string, Unkept>()

  function failAll(isLost: (offer: Offer) => boolean, why: string): void {
    for (const [id, offer] of [...offers]) {
      if (!isLost(offer)) continue
      offers.delete(id)
      offer.fail(new Unanswered(why))
    }
  }

  // A listener may have outlived the process that made the offer.
  function keepEarly(delivery: string, result: SendResult): void {
    earlyResults.set(delivery, { untilMs: nowMs() + LEASE_MS, result })
    const [eldest] = earlyResults.keys()
    if (earlyResults.size > EARLY_RESULTS_KEPT && eldest !== undefined) earlyResults.delete(eldest)
  }

  return {
    add(delivery, reader) {
      const { promise, resolve: settle, reject: fail } = Promise.withResolvers<SendResult>()
      offers.set(delivery, { reader, untilMs: nowMs() + LEASE_MS, settle, fail })
      return promise
    },
    async settle(delivery, result) {
      const offer = offers.get(delivery)
      offers.delete(delivery)
      if (result === 'skipped') {
        offer?.fail(new Unanswered('the listener leaves it out', true))
        return offer !== undefined
      }
      // It was reported before, and is being stored.
      const known = unkept.get(delivery)
      if (known !== undefined) return known.promise
      if (offer === undefined) {
        keepEarly(delivery, result)
        return false
      }
      const { promise, resolve, reject } = Promise.withResolvers<true>()
      unkept.set(delivery, { untilMs: nowMs() + LEASE_MS, promise, resolve, reject })
      offer.settle(result)
      return promise
    },
    kept(delivery) {
      unkept.get(delivery)?.resolve(true)
      unkept.delete(delivery)
    },
    early: (delivery) => earlyResults.get(delivery)?.result,
    end: (why, reader) => failAll((offer) => reader === undefined || offer.reader === reader, why),
    tick() {
      failAll(({ untilMs }) => untilMs <= nowMs(), 'no result came within the lease')
      for (const [id, { untilMs, reject }] of unkept) {
        if (untilMs > nowMs()) continue
        unkept.delete(id)
        reject(new DomainError('unavailable', 'The result could not be stored in time; post it again.'))
      }
      for (const [id, { untilMs }] of earlyResults) if (untilMs <= nowMs()) earlyResults.delete(id)
    },
  }
}
