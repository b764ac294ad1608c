import type { Runtime } from './runtime.ts'

/** Work of many transactions, each of which finds for itself what is next. */
export interface Steps {
  /** Each waits for the disk, so several are under way at once; they still happen one after the other. */
  readonly underWay: number
  /** Makes one transaction; resolves with whether there may be more to do. */
  readonly step: () => Promise<boolean>
}

/** Takes steps until one finds nothing more to do, and gives way to requests in between; rejects with what went wrong. */
export async function takeSteps(runtime: Runtime, { underWay, step }: Steps): Promise<void> {
  let isOver = false

  async function work(): Promise<void> {
    while (!isOver) {
      await runtime.giveWay()
      const goesOn = await step().catch((error: unknown) => {
        isOver = true
        throw error
      })
      isOver ||= !goesOn
    }
  }

  // All of them end before anybody goes on.
  const ended = await Promise.allSettled(Array.from({ length: underWay }, work))
  for (const one of ended) if (one.status === 'rejected') throw one.reason
}
