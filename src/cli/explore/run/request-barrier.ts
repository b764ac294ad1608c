import { waitUnlessAborted } from '../../../client/timing.ts'

/** The maximum time that a request waits for the requests of the other copies. The timeouts of clients are longer. */
const MAX_WAIT_MS = 500

/** The concurrent copies of a delivery. */
interface CopyGroup {
  readonly copies: number
  /** The held requests by operation; an abort releases the request. */
  readonly held: Map<string, AbortController[]>
  /** The time at which the group ends, in milliseconds of `nowMs`. */
  endMs: number
}

/**
 * Creates a barrier that makes the races between concurrent copies of a delivery certain. An API request for one copy
 * waits until the app has sent a request of the same operation for each other copy. `nowMs` returns milliseconds of a
 * monotonic clock.
 */
export function createRequestBarrier(nowMs: () => number) {
  let group: CopyGroup | null = null

  function end(ended: CopyGroup): void {
    if (group === ended) group = null
    for (const request of [...ended.held.values()].flat()) request.abort()
  }

  return {
    /**
     * Starts to hold requests for a number of copies, and releases the requests of earlier copies. Call the returned
     * function when the app has responded to all copies. Requests of the app's background work are still held for a
     * short time.
     */
    raise(copies: number) {
      if (group !== null) end(group)
      const raised: CopyGroup = { copies, held: new Map(), endMs: Infinity }
      group = raised
      return () => {
        raised.endMs = nowMs() + MAX_WAIT_MS
      }
    },
    /** Resolves when a request may be forwarded to the API. */
    async pass(operation: string) {
      const joined = group
      if (joined === null || nowMs() > joined.endMs) return
      const others = joined.held.get(operation) ?? []
      if (others.length + 1 >= joined.copies) {
        joined.held.delete(operation)
        for (const request of others) request.abort()
        return
      }
      const request = new AbortController()
      joined.held.set(operation, [...others, request])
      // After a timeout, the app seems to handle the copies one after the other, so stop holding requests.
      if (await isTimeout(request.signal)) end(joined)
    },
  }
}

async function isTimeout(released: AbortSignal): Promise<boolean> {
  await waitUnlessAborted(MAX_WAIT_MS, released).catch(() => {})
  return !released.aborted
}
