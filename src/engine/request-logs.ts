import { DomainError } from '../domain/domain-error.ts'
import { createRequestLog, MAX_REQUEST_LOGS, type RequestLog } from '../domain/request-logs.ts'
import { DEFAULT_RETENTION } from '../domain/retention.ts'
import type { Store } from '../store/port/store.ts'

/** What was seen of a request; the rest is read out of it when it is kept. */
export interface SeenRequest extends Omit<RequestLog, 'object' | 'livemode' | 'error'> {
  /** The body of an error answer as JSON text; null for a success. */
  readonly errorBody: string | null
}

/** The memory of what was asked. */
export interface RequestLogs {
  /** Notes a request that was answered. Of very many at once only the newest are kept, with and without a key apart. */
  readonly note: (seen: SeenRequest) => void
  /**
   * Keeps what was noted, and drops what is too old or too much; resolves when that can be read. While the disk is full
   * it waits for a later time.
   */
  readonly flush: () => Promise<void>
}

// Storing a request log costs as much as many requests do, so under load not each one is stored.
const MAX_NOTED = { authenticated: 250, unauthenticated: 25 } as const

type Kind = keyof typeof MAX_NOTED
type Kept = Pick<RequestLog, 'id' | 'object' | 'created'>

/** Requests without a valid key are kept apart, so that visitors displace no log of a request with one. */
const kindOf = ({ api_key }: Pick<RequestLog, 'api_key'>): Kind =>
  api_key === null ? 'unauthenticated' : 'authenticated'

/**
 * Opens the memory of requests. They are written some time after their answers, many at once: an answer does not wait
 * for its log, and a crash loses the newest entries.
 */
export async function openRequestLogs(store: Store, settledNow: () => number): Promise<RequestLogs> {
  const kept: Readonly<Record<Kind, Kept[]>> = { authenticated: [], unauthenticated: [] }
  for (const log of await store.oldest('request_logs', Number.MAX_SAFE_INTEGER)) keep(log)
  const noted = { authenticated: createRing(), unauthenticated: createRing() }
  let serial = 0
  let running: Promise<void> = Promise.resolve()

  function keep(log: RequestLog): void {
    const { id, object, created } = log
    kept[kindOf(log)].push({ id, object, created })
  }

  function note(seen: SeenRequest): void {
    serial += 1
    const kind = kindOf(seen)
    noted[kind].add({ seen, serial }, MAX_NOTED[kind])
  }

  function take(): SeenRequest[] {
    const all = [...noted.authenticated.take(), ...noted.unauthenticated.take()]
    return all.sort((a, b) => a.serial - b.serial).map(({ seen }) => seen)
  }

  async function write(): Promise<void> {
    const seen = take()
    const added = seen.map(entryOf)
    const gone = KINDS.map((kind) => {
      const more = added.filter((log) => kindOf(log) === kind).length
      return countGone(kept[kind], { added: more, most: MAX_REQUEST_LOGS[kind], now: settledNow() })
    })
    const removed = KINDS.flatMap((kind, at) => kept[kind].slice(0, gone[at]))
    if (added.length + removed.length === 0) return
    const writes = [...removed.map((remove) => ({ remove })), ...added.map((put) => ({ put }))]
    try {
      await store.transact(async () => ({ result: null, writes, events: [] }))
    } catch (error) {
      for (const one of [...seen, ...take()]) note(one)
      if (error instanceof DomainError) return
      throw error
    }
    for (const [at, kind] of KINDS.entries()) kept[kind].splice(0, gone[at])
    for (const log of added) keep(log)
  }

  return {
    note,
    flush() {
      running = running.then(write, write)
      return running
    },
  }
}

const KINDS: readonly Kind[] = ['authenticated', 'unauthenticated']

interface Noted {
  readonly seen: SeenRequest
  /** Grows from request to request. */
  readonly serial: number
}

/** Keeps the newest; they are taken in any order. */
function createRing() {
  const held: Noted[] = []
  let oldest = 0
  return {
    add(one: Noted, most: number): void {
      if (held.length < most) {
        held.push(one)
        return
      }
      held[oldest] = one
      oldest = (oldest + 1) % most
    },
    take(): Noted[] {
      oldest = 0
      return held.splice(0)
    },
  }
}

function countGone(
  kept: readonly Kept[],
  { added, most, now }: { readonly added: number; readonly most: number; readonly now: number },
): number {
  const tooMany = Math.max(0, Math.min(kept.length, kept.length + added - most))
  const young = kept.findIndex(({ created }) => created > now - DEFAULT_RETENTION.maxAgeSeconds)
  return Math.max(tooMany, young === -1 ? kept.length : young)
}

function entryOf({ errorBody, ...seen }: SeenRequest): RequestLog {
  return createRequestLog({ ...seen, error: errorBody === null ? null : JSON.parse(errorBody).error })
}
