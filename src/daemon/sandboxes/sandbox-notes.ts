import type { Sandbox } from '../../domain/sandboxes/sandboxes.ts'
import type { SandboxSummary } from '../../store/port/database.ts'
import type { Ids } from '../system/ids.ts'

/** The summary of a sandbox that was closed while idle. */
export interface SleepingSandbox extends SandboxSummary {
  /** Whether it is in files or in PostgreSQL, not in memory. */
  readonly isDurable: boolean
}

/** The facts that a process keeps of sandboxes, open or not. */
export interface SandboxNotes {
  /** Creates generators for a new sandbox. They are kept when it is closed, so that seeded ids never repeat. */
  readonly addIds: (id: string, variant: string) => Ids
  /** Returns the generators of a sandbox, and creates missing ones. */
  readonly idsOf: (id: string) => Ids
  readonly knownIds: (id: string) => Ids | undefined
  /** Notes the summary of a sandbox that was closed while idle; null for one that was closed for another reason. */
  readonly noteSleep: (id: string, last: SleepingSandbox | null) => void
  /** Returns the summary of a sleeping sandbox, or undefined. */
  readonly sleeping: (id: string) => SleepingSandbox | undefined
  readonly allSleeping: () => Iterable<readonly [id: string, SleepingSandbox]>
  /** Postpones the next deadline of a sleeping sandbox that cannot be opened to a time in Unix seconds. */
  readonly postpone: (id: string, until: number) => void
  /** Drops the summary of a sleeping sandbox, or all for null, because the sandbox was opened or changed elsewhere. */
  readonly dropSleep: (id: string | null) => void
  /** Notes the expiry of a sandbox; call it after each change of its record. */
  readonly noteExpiry: (sandbox: Pick<Sandbox, 'id' | 'expires_at'>) => void
  /** Returns whether the last known expiry of a sandbox has passed at a time in Unix seconds. */
  readonly hasExpired: (id: string, now: number) => boolean
  /** Drops all notes of a deleted sandbox. */
  readonly forget: (id: string) => void
}

/** Creates empty notes. */
export function createSandboxNotes(newIds: (variant: string) => Ids): SandboxNotes {
  const ids = new Map<string, Ids>()
  const sleeping = new Map<string, SleepingSandbox>()
  const expiries = new Map<string, number>()

  function addIds(id: string, variant: string): Ids {
    const own = newIds(variant)
    ids.set(id, own)
    return own
  }

  return {
    addIds,
    idsOf: (id) => ids.get(id) ?? addIds(id, ''),
    knownIds: (id) => ids.get(id),
    noteSleep(id, last) {
      if (last === null) sleeping.delete(id)
      else sleeping.set(id, last)
    },
    sleeping: (id) => sleeping.get(id),
    allSleeping: () => sleeping,
    postpone(id, wakesAt) {
      const last = sleeping.get(id)
      if (last !== undefined) sleeping.set(id, { ...last, wakesAt })
    },
    dropSleep(id) {
      if (id === null) sleeping.clear()
      else sleeping.delete(id)
    },
    noteExpiry({ id, expires_at }) {
      if (expires_at === null) expiries.delete(id)
      else expiries.set(id, expires_at)
    },
    hasExpired: (id, now) => (expiries.get(id) ?? Number.POSITIVE_INFINITY) <= now,
    forget(id) {
      ids.delete(id)
      sleeping.delete(id)
      expiries.delete(id)
    },
  }
}
