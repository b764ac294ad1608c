/** Calls `tick` repeatedly, `everyMs` after the previous call has finished; passes its errors to `onError`. */
export function startTicker(
  tick: () => Promise<void>,
  options: { readonly everyMs: number; readonly onError: (error: unknown) => void },
): { readonly stop: () => Promise<void> } {
  let isStopped = false
  let running: Promise<void> = Promise.resolve()
  let timer = setTimeout(run, options.everyMs)

  function run(): void {
    running = tick()
      .catch(options.onError)
      .then(() => {
        if (!isStopped) timer = setTimeout(run, options.everyMs)
      })
  }

  return {
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await running
    },
  }
}

/** Resolves with the result of `work`, or with null after `limitMs`. */
export async function waitAtMost<T>(work: Promise<T>, limitMs: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), limitMs)
  })
  try {
    return await Promise.race([work, limit])
  } finally {
    clearTimeout(timer)
  }
}

/** Resolves after a number of milliseconds. */
export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** Creates a runner that repeats work, one round at a time. */
export function createSerialRunner(work: () => Promise<void>) {
  let current: Promise<void> | null = null
  let next: Promise<void> | null = null
  let isEnded = false

  function start(): Promise<void> {
    next = null
    const own = (isEnded ? Promise.resolve() : work()).finally(() => {
      if (current === own) current = null
    })
    current = own
    return own
  }

  return {
    /** Runs a round now, or one round for all callers after the current round. The promise settles with that round. */
    run(): Promise<void> {
      if (next !== null) return next
      // There is no current round between the end of a round and the start of the next round.
      if (current === null) return start()
      next = current.then(start, start)
      return next
    },
    /** Returns whether a round is running or about to start. */
    isRunning: () => current !== null || next !== null,
    /** Cancels the next round, whose promise then resolves, and resolves when the current round has finished. */
    async end(): Promise<void> {
      isEnded = true
      await (next ?? current)?.catch(() => {})
    },
  }
}

/** Runs work at the end of this turn of the event loop, or when the process exits in this turn. */
export function runAtTurnEnd(work: () => void): void {
  const finish = () => {
    process.off('exit', finish)
    work()
  }
  process.on('exit', finish)
  setImmediate(finish)
}

/** Resolves in the next turn of the event loop, after all callbacks that are ready. */
export function waitForNextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/**
 * Creates a function with which long work yields to the event loop at most once every `everyMs` milliseconds. Its
 * promise resolves immediately or in the next turn, which concurrent callers share.
 */
export function createEventLoopYield(everyMs: number, monotonicMs: () => number): () => Promise<void> {
  let since = monotonicMs()
  const yieldNow = createSingleFlight(async () => {
    await waitForNextTurn()
    since = monotonicMs()
  })
  return async () => {
    if (monotonicMs() - since >= everyMs) await yieldNow()
  }
}

/** Creates a function whose callers share one run of the work until the run has settled. */
export function createSingleFlight<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null
  return () => {
    running ??= work().finally(() => {
      running = null
    })
    return running
  }
}
