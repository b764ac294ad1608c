/** Counts the running requests of a sandbox, which must end before its store is closed. */
export interface RequestCount {
  readonly enter: () => void
  readonly leave: () => void
  readonly areRunning: () => boolean
  /** Resolves when no request is running. */
  readonly drained: () => Promise<void>
}

/** Creates a count without requests. */
export function createRequestCount(): RequestCount {
  let running = 0
  let waiting: PromiseWithResolvers<void> | null = null
  return {
    enter() {
      running += 1
    },
    leave() {
      running -= 1
      if (running === 0) waiting?.resolve()
    },
    areRunning: () => running > 0,
    drained() {
      if (running === 0) return Promise.resolve()
      waiting ??= Promise.withResolvers()
      return waiting.promise
    },
  }
}
