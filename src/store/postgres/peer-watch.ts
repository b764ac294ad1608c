/** Stands for all sandboxes in a notification. */
export const ALL_SANDBOXES = '*'
/** Asks every other process to answer with a notification. */
export const QUESTION = '?'

interface PeerWatchOptions {
  /** Sends a token to all processes that listen, this one included. */
  readonly tell: (token: string) => void
  /** Tells this process that everything may have changed. */
  readonly notifyAll: () => void
  readonly isListening: () => boolean
}

/**
 * Finds out whether other processes listen for changes. Each process sends a question when it starts to listen, and the others
 * answer. PostgreSQL delivers notifications in the same order to all, so a process that gets its own question is alone until
 * it hears from another one. It then tells that everything may have changed, because it announced nothing meanwhile.
 */
export function createPeerWatch({ tell, notifyAll, isListening }: PeerWatchOptions) {
  let isUnanswered = false

  function onPeer(): void {
    if (!isUnanswered) return
    isUnanswered = false
    notifyAll()
    tell(ALL_SANDBOXES)
  }

  function ask(): void {
    isUnanswered = false
    tell(QUESTION)
  }

  const isAlone = () => isUnanswered && isListening()

  return {
    /** Sends the question; call it after the start of listening. */
    ask,
    /** Call it with each question of this process that arrives. */
    onOwnQuestion(): void {
      isUnanswered = true
    },
    /** Call it with each notification of another process. */
    onPeer,
    /** Returns whether no other process listens, so that no change needs a notification. */
    isAlone,
    /** Call it regularly with the number of registered processes, this one included. */
    countProcesses(count: number): void {
      if (count > 1) onPeer()
      // The others may have gone.
      else if (!isAlone() && isListening()) ask()
    },
  }
}
