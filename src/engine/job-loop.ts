import type { Runtime } from './runtime.ts'

/**
 * Runs one transaction. Calls `onStart` when the store starts the transaction. Resolves with whether there may be more
 * work.
 */
type RunJob = (onStart: () => void) => Promise<boolean>

/**
 * Runs jobs until a job finds no work; rejects with the first error. The store runs the transactions one after the
 * other, but up to `concurrency` of them wait for the disk together. Only one job waits in the store's queue, so a
 * request waits for two jobs at most.
 */
export async function runJobLoop(runtime: Runtime, concurrency: number, runJob: RunJob): Promise<void> {
  let isDone = false
  let lastStart: Promise<void> = Promise.resolve()

  async function work(): Promise<void> {
    while (!isDone) {
      const previousStart = lastStart
      const { promise, resolve: onStart } = Promise.withResolvers<void>()
      lastStart = promise
      await previousStart
      try {
        const hasMore = await runNext(onStart)
        isDone ||= !hasMore
      } catch (error) {
        isDone = true
        throw error
      } finally {
        onStart()
      }
    }
  }

  async function runNext(onStart: () => void): Promise<boolean> {
    if (isDone) return false
    await runtime.yieldToEventLoop()
    return runJob(onStart)
  }

  // Promise.allSettled ensures that no transaction still runs when this function rejects.
  const results = await Promise.allSettled(Array.from({ length: concurrency }, work))
  for (const result of results) if (result.status === 'rejected') throw result.reason
}
