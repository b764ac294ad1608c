export interface Loops {
  /** Starts the loop of a key, or, while it still runs, has it look once more before it ends. */
  readonly start: (key: string) => void
  /** Whether the loop of a key runs. */
  readonly isRunning: (key: string) => boolean
  /** Counts other work as running too; resolves when it is done, and never rejects. */
  readonly track: (work: Promise<void>) => Promise<void>
  /** Resolves when nothing runs. */
  readonly idle: () => Promise<void>
}

/** Runs at most one `drain` per key at a time, and the keys beside each other; what one throws ends only its own loop. */
export function createLoops(drain: (key: string) => Promise<void>, onError: (error: unknown) => void): Loops {
  const loops = new Map<string, { isCalledAgain: boolean }>()
  const running = new Set<Promise<void>>()

  function track(work: Promise<void>): Promise<void> {
    const tracked = work.catch(onError).finally(() => running.delete(tracked))
    running.add(tracked)
    return tracked
  }

  async function run(key: string): Promise<void> {
    const loop = { isCalledAgain: false }
    loops.set(key, loop)
    try {
      do {
        loop.isCalledAgain = false
        await drain(key)
      } while (loop.isCalledAgain)
    } finally {
      loops.delete(key)
    }
  }

  return {
    start(key) {
      const loop = loops.get(key)
      if (loop) loop.isCalledAgain = true
      else track(run(key))
    },
    isRunning: (key) => loops.has(key),
    track,
    async idle() {
      while (running.size > 0) await Promise.all(running)
    },
  }
}
