/** Calls `tick` again and again, `everyMs` after the last call has finished; what it throws goes to `onError`. */
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

/** Resolves with what `work` resolves with, or with null after `limitMs`. */
export async function withinTime<T>(work: Promise<T>, limitMs: number): Promise<T | null> {
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

/** Resolves after so many milliseconds. */
export function waitFor(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** Rounds of the same work, of which never two are under way. */
export interface Rounds {
  /** Does the work after the rounds that were asked for before, however they end; resolves or rejects as the work does. */
  readonly run: () => Promise<void>
  /** Begins no further round, so that those asked for resolve at once; resolves when the one under way is over. */
  readonly end: () => Promise<void>
}

/** Has the rounds of some work follow one another. */
export function inTurn(work: () => Promise<void>): Rounds {
  let last: Promise<void> = Promise.resolve()
  let isOver = false
  return {
    run() {
      const own = last.then(() => (isOver ? undefined : work()))
      last = own.catch(() => {})
      return own
    },
    async end() {
      isOver = true
      await last
    },
  }
}

/** Lets everything that is ready have its turn first; resolves after it. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/**
 * Lets long work give way at most once in so many milliseconds: the promise resolves at once, or after everything that is
 * ready had its turn. Who asks meanwhile waits for the same turn.
 */
export function createEventLoopYield(everyMs: number, monotonicMs: () => number): () => Promise<void> {
  let since = monotonicMs()
  let turn: Promise<void> | null = null
  return async () => {
    if (turn === null && monotonicMs() - since < everyMs) return
    turn ??= nextTurn().then(() => {
      turn = null
      since = monotonicMs()
    })
    await turn
  }
}

/** Gives whoever asks within one turn of the event loop the same promise, which resolves after it. */
export function createTurnEnd(): () => Promise<void> {
  let end: Promise<void> | null = null
  return () => {
    end ??= nextTurn().then(() => {
      end = null
    })
    return end
  }
}
