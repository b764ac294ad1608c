import { nextTurn, shareRun } from '../system/ticker.ts'

/** What one sandbox may start per turn of the event loop while others have requests, too: so many requests, or one long one. */
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
  const running = new Map<string, number>()
  const used = new Map<string, number>()
  const turnEnd = shareRun(async () => {
    await endTurn()
    used.clear()
  })

  function add(counts: Map<string, number>, sandbox: string, change: number): void {
    const count = (counts.get(sandbox) ?? 0) + change
    if (count === 0) counts.delete(sandbox)
    else counts.set(sandbox, count)
  }

  return async ({ sandbox, isLong }, work) => {
    const shares = isLong ? SHARES_PER_TURN : 1
    add(running, sandbox, 1)
    try {
      while (running.size > 1 && (used.get(sandbox) ?? 0) + shares > SHARES_PER_TURN) await turnEnd()
      add(used, sandbox, shares)
      return await work()
    } finally {
      add(running, sandbox, -1)
    }
  }
}
