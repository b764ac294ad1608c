import type { Runtime } from './runtime.ts'

/** A background job of many transactions, each of which looks up its own work. */
export interface Steps {
  /** How many transactions wait for the disk at a time; they still run one after the other. */
  readonly underWay: number
  /** Runs one transaction, calls `onTurn` when its turn in the store has come, and resolves with whether there may be more work. */
  readonly step: (onTurn: () => void) => Promise<boolean>
}

/**
 * Runs steps until one finds no more work; rejects with the first error. At most one step waits for its turn in the
 * store, so a request that arrives meanwhile runs after two steps at most, however many wait for the disk.
 */
export async function takeSteps(runtime: Runtime, { underWay, step }: Steps): Promise<void> {
  let isOver = false
  let lastTurn: Promise<void> = Promise.resolve()

  async function work(): Promise<void> {
    while (!isOver) {
      const previousTurn = lastTurn
      const { promise, resolve: onTurn } = Promise.withResolvers<void>()
      lastTurn = promise
      await previousTurn
      try {
        const goesOn = await nextStep(onTurn)
        isOver ||= !goesOn
      } catch (error) {
        isOver = true
        throw error
      } finally {
        onTurn()
      }
    }
  }

  async function nextStep(onTurn: () => void): Promise<boolean> {
    if (isOver) return false
    await runtime.yieldToEventLoop()
    return step(onTurn)
  }

  // All of them end before the caller goes on.
  const ended = await Promise.allSettled(Array.from({ length: underWay }, work))
  for (const one of ended) if (one.status === 'rejected') throw one.reason
}
