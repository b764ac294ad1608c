/** Counts the running requests of a sandbox, which must end before its store is closed. */
export interface RequestCount {
  readonly enter: () => void
  readonly leave: () => void
  readonly areRunning: () => boolean
  /** Returns the number of the last request, in a sequence over the requests of all sandboxes. */
  readonly lastUse: () => number
  /** Resolves when no request is running. */
  readonly drained: () => Promise<void>
}

/** The number of requests of all sandboxes since the start of the process. */
let uses = 0

/** Creates a count without requests. */
export function createRequestCount(): RequestCount {
  let running = 0
  let lastUse = 0
  let waiting: PromiseWithResolvers<void> | null = null
  return {
    enter() {
      running += 1
      uses += 1
      lastUse = uses
    },
    leave() {
      running -= 1
      if (running === 0) waiting?.resolve()
    },
    areRunning: () => running > 0,
    lastUse: () => lastUse,
    drained() {
      if (running === 0) return Promise.resolve()
      waiting ??= Promise.withResolvers()
      return waiting.promise
    },
  }
}
