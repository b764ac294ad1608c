import type { Stored } from '../../domain/changes.ts'

/** So many queues are remembered; more than the two of each of 100 endpoints. */
const MAX_REMEMBERED = 1000

type Due = (queue: string, until: number, limit: number) => Promise<readonly Stored[]>

/** Reads what is due, and remembers for as long as nothing changes that there was nothing. */
export interface RememberedDue {
  readonly due: Due
  /** Must hear of every change, of this process or of another. */
  readonly forget: () => void
}

/**
 * Remembers until when nothing is due: it is asked before every request, and seldom there is something. Only while it is
 * heard of every change.
 */
export function createRememberedDue(due: Due, isHeard: () => boolean): RememberedDue {
  const nothingUntil = new Map<string, number>()
  let changes = 0
  return {
    async due(queue, until, limit) {
      if (isHeard() && until <= (nothingUntil.get(queue) ?? Number.NEGATIVE_INFINITY)) return []
      const before = changes
      const found = await due(queue, until, limit)
      if (found.length === 0 && before === changes) {
        if (nothingUntil.size === MAX_REMEMBERED) nothingUntil.clear()
        nothingUntil.set(queue, until)
      }
      return found
    },
    forget() {
      changes += 1
      nothingUntil.clear()
    },
  }
}
