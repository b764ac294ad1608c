import { createSingleFlight, nextTurn } from '../system/task-scheduling.ts'

/**
 * Shares of a sandbox per turn of the event loop while others have requests too. A long request takes all, others one.
 */
const SHARES_PER_TURN = 2

/** A request of a sandbox. A long one may return many objects, which takes some milliseconds. */
interface TurnRequest {
  readonly sandbox: string
  readonly isLong: boolean
}

/** Runs the work of a request in the first turn of the event loop in which its sandbox has enough shares left. */
export type RunInShare = <R>(request: TurnRequest, work: () => Promise<R>) => Promise<R>

/**
 * Creates a function that shares the event loop among sandboxes. The many requests of one sandbox start in later turns,
 * so that the requests of other sandboxes do not wait for all of them.
 */
export function createEventLoopShares(endTurn: () => Promise<void> = nextTurn): RunInShare {
  const shares = new Map<string, { running: number; used: number }>()
  let busySandboxes = 0
  const turnEnd = createSingleFlight(async () => {
    await endTurn()
    for (const [sandbox, share] of shares) {
      share.used = 0
      if (share.running === 0) shares.delete(sandbox)
    }
  })

  return async ({ sandbox, isLong }, work) => {
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
