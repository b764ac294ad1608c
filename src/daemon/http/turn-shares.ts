import { nextTurn, shareRun } from '../system/ticker.ts'

/** Maximum number of requests that one sandbox starts per turn of the event loop while others have requests, too. */
const STARTS_PER_TURN = 2

/** Runs the work of a request when it is the turn of its sandbox. */
export type TakeTurn = <R>(sandbox: string, work: () => Promise<R>) => Promise<R>

/**
 * Creates a function that shares the event loop among sandboxes: the requests of a sandbox that sends many start in later
 * turns, so that those of the others do not wait for all of them.
 */
export function createTurnShares(endTurn: () => Promise<void> = nextTurn): TakeTurn {
  const running = new Map<string, number>()
  const started = new Map<string, number>()
  const turnEnd = shareRun(async () => {
    await endTurn()
    started.clear()
  })

  function add(counts: Map<string, number>, sandbox: string, change: 1 | -1): void {
    const count = (counts.get(sandbox) ?? 0) + change
    if (count === 0) counts.delete(sandbox)
    else counts.set(sandbox, count)
  }

  return async (sandbox, work) => {
    add(running, sandbox, 1)
    try {
      while (running.size > 1 && (started.get(sandbox) ?? 0) >= STARTS_PER_TURN) await turnEnd()
      add(started, sandbox, 1)
      return await work()
    } finally {
      add(running, sandbox, -1)
    }
  }
}
