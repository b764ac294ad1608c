/** Runs one job per key at a time; jobs of different keys run concurrently. */
export interface KeyedQueue {
  /** Starts the job of a key, or runs it once more when it is running. */
  readonly start: (key: string) => void
  /** Returns whether the job of a key is running. */
  readonly isRunning: (key: string) => boolean
  /** Counts other work as running; resolves when it has finished and never rejects. */
  readonly track: (work: Promise<void>) => Promise<void>
  /** Returns whether nothing is running. */
  readonly isIdle: () => boolean
  /** Resolves when nothing is running. */
  readonly idle: () => Promise<void>
}

/** Creates a queue that calls `drain` for each started key; an error of `drain` ends only the job of its key. */
export function createKeyedQueue(
  drain: (key: string) => Promise<void>,
  onError: (error: unknown) => void,
): KeyedQueue {
  const jobs = new Map<string, { isRestarted: boolean }>()
  const running = new Set<Promise<void>>()

  function track(work: Promise<void>): Promise<void> {
    const tracked = work.catch(onError).finally(() => running.delete(tracked))
    running.add(tracked)
    return tracked
  }

  async function run(key: string): Promise<void> {
    const job = { isRestarted: false }
    jobs.set(key, job)
    try {
      do {
        job.isRestarted = false
        await drain(key)
      } while (job.isRestarted)
    } finally {
      jobs.delete(key)
    }
  }

  return {
    start(key) {
      const job = jobs.get(key)
      if (job) job.isRestarted = true
      else track(run(key))
    },
    isRunning: (key) => jobs.has(key),
    track,
    isIdle: () => running.size === 0,
    async idle() {
      while (running.size > 0) await Promise.all(running)
    },
  }
}
