/** Stands for all sandboxes in a notification. */
export const ALL_SANDBOXES = '*'
/** Requests a notification from every other process. */
export const PRESENCE_QUERY = '?'

/** A count of processes is valid for this time; a server counts every two seconds. */
const COUNT_VALID_MS = 5000

interface PeerWatchOptions {
  /** Sends a token to all processes that listen, this one included. */
  readonly send: (token: string) => void
  /** Notifies the subscribers of this process that everything may have changed. */
  readonly notifyAll: () => void
  readonly isListening: () => boolean
  readonly monotonicMs: () => number
}

/**
 * Finds out whether other processes use the database. A process is alone while no other one is registered and none replied to
 * its last query. Each process sends a query when it starts to listen, and the others reply. PostgreSQL delivers
 * notifications in the same order to all, so replies follow the query. A process that was alone announced no changes, so at the
 * first sign of another process it sends that everything may have changed.
 */
export function createPeerWatch({ send, notifyAll, isListening, monotonicMs }: PeerWatchOptions) {
  /** Whether the last query was delivered and no other process was heard since. */
  let isUnanswered = false
  let heard = 0
  /** The end of the validity of the last count, if it found no other process. */
  let countValidUntilMs = Number.NEGATIVE_INFINITY

  function onPeer(): void {
    heard += 1
    countValidUntilMs = Number.NEGATIVE_INFINITY
    if (!isUnanswered) return
    isUnanswered = false
    notifyAll()
    send(ALL_SANDBOXES)
  }

  function query(): void {
    isUnanswered = false
    send(PRESENCE_QUERY)
  }

  const isCountValid = () => monotonicMs() < countValidUntilMs

  return {
    /** Sends a query; call it after the start of listening. */
    query,
    /** Call it with each query of this process that arrives. */
    onOwnQuery(): void {
      isUnanswered = true
    },
    /** Call it with each notification of another process. */
    onPeer,
    /** Returns whether no other process is known, so that no change needs a notification. */
    isAlone: () => isUnanswered && isListening() && isCountValid(),
    /** Call it before the registered processes are counted, and the returned function with their number, this one included. */
    startCount(): (processes: number) => void {
      const validUntilMs = monotonicMs() + COUNT_VALID_MS
      const heardBefore = heard
      return (processes) => {
        if (processes > 1) onPeer()
        // A process that was heard meanwhile may not have been registered at the time of the count.
        if (processes > 1 || heard !== heardBefore) return
        // Another process may have come and gone since the last count.
        if (!isCountValid()) notifyAll()
        countValidUntilMs = validUntilMs
        if (!isUnanswered && isListening()) query()
      }
    },
  }
}
