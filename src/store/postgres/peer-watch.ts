/** The token for all sandboxes in a notification. */
export const ALL_SANDBOXES_TOKEN = '*'
/** The token that requests a notification from every other process. */
export const PRESENCE_REQUEST_TOKEN = '?'

/** The time for which a count of processes is valid; a server counts every two seconds. */
const COUNT_VALID_MS = 5000

interface PeerWatchOptions {
  /** Sends a token to all processes that listen, including this process. */
  readonly send: (token: string) => void
  /** Notifies the subscribers of this process that everything may have changed. */
  readonly notifyAll: () => void
  readonly isListening: () => boolean
  readonly monotonicMs: () => number
}

/**
 * Finds out whether other processes use the database. A process is alone while no other process is registered or has
 * replied to its last query. Each process sends a query when it starts to listen, and the others reply. PostgreSQL
 * delivers notifications in the same order to all processes, so replies follow the query. A process that was alone
 * announced no changes. At the first sign of another process, it notifies all processes that everything may have
 * changed.
 */
export function createPeerWatch({ send, notifyAll, isListening, monotonicMs }: PeerWatchOptions) {
  /** Whether the last query was delivered and no other process has sent a notification since then. */
  let isUnanswered = false
  let lastPeerMs = Number.NEGATIVE_INFINITY
  /** The time until which the last count is valid, if this count found no other process. */
  let countValidUntilMs = Number.NEGATIVE_INFINITY

  function onPeer(): void {
    lastPeerMs = monotonicMs()
    countValidUntilMs = Number.NEGATIVE_INFINITY
    if (!isUnanswered) return
    isUnanswered = false
    notifyAll()
    send(ALL_SANDBOXES_TOKEN)
  }

  function query(): void {
    isUnanswered = false
    send(PRESENCE_REQUEST_TOKEN)
  }

  const isCountValid = () => monotonicMs() < countValidUntilMs

  return {
    /** Sends a query, after the process has started to listen. */
    query,
    /** Handles the arrival of a query of this process. */
    onOwnQuery(): void {
      isUnanswered = true
    },
    /** Handles a notification of another process. */
    onPeer,
    /** Returns whether no other process is known, so that no change needs a notification. */
    isAlone: () => isUnanswered && isListening() && isCountValid(),
    /**
     * Starts a count of the registered processes. Call the returned function with the number of processes, including
     * this process.
     */
    startCount(): (processes: number) => void {
      const startedMs = monotonicMs()
      const validUntilMs = startedMs + COUNT_VALID_MS
      return (processes) => {
        if (processes > 1) onPeer()
        // Ignore the count if another process has just sent a notification, because it may not be registered yet.
        if (startedMs < lastPeerMs + COUNT_VALID_MS) return
        // Notify all processes, because another process may have started and stopped since the last count.
        if (!isCountValid()) notifyAll()
        countValidUntilMs = validUntilMs
        if (!isUnanswered && isListening()) query()
      }
    },
  }
}
