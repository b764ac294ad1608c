import { createSingleFlight, waitForNextTurn } from '../system/task-scheduling.ts'

/**
 * Shares of a sandbox per turn of the event loop while other sandboxes have requests. A long request uses all shares;
 * any other request uses one share.
 */
const SHARES_PER_TURN = 2

/**
 * Creates a function that shares the event loop among sandboxes. It runs the work of a request in the first turn in
 * which the sandbox has enough shares left. Many requests of one sandbox start in later turns, so that the requests of
 * other sandboxes do not wait. A long request may return many objects, which takes some milliseconds.
 */
export function createEventLoopScheduler(endTurn: () => Promise<void> = waitForNextTurn) {
  const shares = new Map<string, { running: number; used: number }>()
  let busySandboxes = 0
  const turnEnd = createSingleFlight(async () => {
    await endTurn()
    for (const [sandbox, share] of shares) {
      share.used = 0
      if (share.running === 0) shares.delete(sandbox)
    }
  })

  return async <R>(sandbox: string, isLong: boolean, work: () => Promise<R>): Promise<R> => {
    const size = isLong ? SHARES_PER_TURN : 1
    const share = shares.get(sandbox) ?? { running: 0, used: 0 }
    shares.set(sandbox, share)
    if (share.running === 0) busySandboxes += 1
    share.running += 1
    try {
      while (busySandboxes > 1 && share.used + size > SHARES_PER_TURN) await turnEnd()
      share.used += size
      return await work()
    } finally {
      share.running -= 1
      if (share.running === 0) busySandboxes -= 1
    }
  }
}
