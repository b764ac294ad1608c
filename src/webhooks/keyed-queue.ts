/**
 * Creates a queue that runs one job per key at a time, and jobs of different keys concurrently. The queue calls `drain`
 * for each started key; an error of `drain` ends only the job of its key.
 */
export function createKeyedQueue(drain: (key: string) => Promise<void>, onError: (error: unknown) => void) {
  const jobs = new Map<string, { isRestarted: boolean }>()
  const running = new Set<Promise<void>>()

  /** Counts other work as running until it ends; resolves at the end and never rejects. */
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
    /** Starts the job of a key, or runs a running job once more. */
    start(key: string): void {
      const job = jobs.get(key)
      if (job) job.isRestarted = true
      else track(run(key))
    },
    isRunning: (key: string) => jobs.has(key),
    track,
    isIdle: () => running.size === 0,
    /** Resolves when no work is running. */
    async idle(): Promise<void> {
      while (running.size > 0) await Promise.all(running)
    },
  }
}
