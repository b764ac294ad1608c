import { createSharedRun, nextTurn } from '../system/ticker.ts'

/** The shares of one sandbox per turn of the event loop while others have requests, too: a request takes one, a long one all. */
const SHARES_PER_TURN = 2

/** A request of a sandbox. A long one may return many objects, which takes some milliseconds. */
interface TurnRequest {
  readonly sandbox: string
  readonly isLong: boolean
}

/** Runs the work of a request when it is the turn of its sandbox. */
export type TakeTurn = <R>(request: TurnRequest, work: () => Promise<R>) => Promise<R>

/**
 * Creates a function that shares the event loop among sandboxes: the requests of a sandbox that sends many start in later
 * turns, so that those of the others do not wait for all of them.
 */
export function createTurnShares(endTurn: () => Promise<void> = nextTurn): TakeTurn {
  const shares = new Map<string, { running: number; used: number }>()
  let busySandboxes = 0
  const turnEnd = createSharedRun(async () => {
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
