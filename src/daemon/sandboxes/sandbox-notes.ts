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
  /** Gives a new sandbox generators of its own. They outlive its closing, so that seeded ids never repeat. */
  readonly addIds: (id: string, variant: string) => Ids
  /** Returns the generators of a sandbox; creates them unless it has some. */
  readonly idsOf: (id: string) => Ids
  readonly knownIds: (id: string) => Ids | undefined
  /** Notes the last state of a sandbox that fell asleep; null for one that was closed otherwise. */
  readonly noteSleep: (id: string, last: SleepingSandbox | null) => void
  /** Returns what is known of a sleeping sandbox, or undefined. */
  readonly sleeping: (id: string) => SleepingSandbox | undefined
  readonly allSleeping: () => Iterable<readonly [id: string, SleepingSandbox]>
  /** Lets a sleeping sandbox that cannot be opened wait until a time in Unix seconds. */
  readonly postpone: (id: string, until: number) => void
  /** Drops what is known of a sleeping sandbox, or of all for null, after a change by another process. */
  readonly dropSleep: (id: string | null) => void
  /** Call it after a change of the record of a sandbox. */
  readonly noteExpiry: (sandbox: Pick<Sandbox, 'id' | 'expires_at'>) => void
  /** Returns whether the last known expiry of a sandbox has passed at a time in Unix seconds. */
  readonly hasExpired: (id: string, now: number) => boolean
  /** Drops what is known of a deleted sandbox. */
  readonly forget: (id: string) => void
}

/** Creates notes of no sandbox. */
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
