import { Refusal } from '../domain/refusal.ts'
import { createRequestLog, MAX_REQUEST_LOGS, type RequestLog } from '../domain/request-logs.ts'
import { DEFAULT_RETENTION } from '../domain/retention.ts'
import type { Store } from '../store/store.ts'

/** What was seen of a request; the rest is read out of it when it is kept. */
export interface SeenRequest extends Omit<RequestLog, 'object' | 'livemode' | 'error'> {
  /** The body of an error answer as JSON text; null for a success. */
  readonly errorBody: string | null
}

/** The memory of what was asked. */
export interface RequestLogs {
  /** Notes a request that was answered. Of very many at once only the newest are kept. */
  readonly note: (seen: SeenRequest) => void
  /**
   * Keeps what was noted, and drops what is too old or too much; resolves when that can be read. While the disk is full
   * it waits for a later time.
   */
  readonly flush: () => Promise<void>
}

// Keeping a request costs as much as what many of them do, so under load not each one is.
const MAX_NOTED = 250

/**
 * Opens the memory of requests. They are written some time after their answers, many at once: an answer does not wait
 * for its log, and a crash loses the newest entries.
 */
export async function openRequestLogs(store: Store, settledNow: () => number): Promise<RequestLogs> {
  const kept: Pick<RequestLog, 'id' | 'object' | 'created'>[] = [
    ...(await store.oldest('request_logs', Number.MAX_SAFE_INTEGER)),
  ].map(({ id, object, created }) => ({ id, object, created }))
  const noted: SeenRequest[] = []
  let oldest = 0
  let running: Promise<void> = Promise.resolve()

  function take(): SeenRequest[] {
    const inOrder = [...noted.slice(oldest), ...noted.slice(0, oldest)]
    noted.length = 0
    oldest = 0
    return inOrder
  }

  function note(seen: SeenRequest): void {
    if (noted.length < MAX_NOTED) {
      noted.push(seen)
      return
    }
    noted[oldest] = seen
    oldest = (oldest + 1) % MAX_NOTED
  }

  async function write(): Promise<void> {
    const seen = take()
    const added = seen.map(entryOf)
    const gone = countGone(kept, added.length, settledNow())
    if (added.length + gone === 0) return
    const writes = [...kept.slice(0, gone).map((remove) => ({ remove })), ...added.map((put) => ({ put }))]
    try {
      await store.transact(async () => ({ result: null, writes, events: [] }))
    } catch (error) {
      for (const one of [...seen, ...take()]) note(one)
      if (error instanceof Refusal) return
      throw error
    }
    kept.splice(0, gone)
    for (const { id, object, created } of added) kept.push({ id, object, created })
  }

  return {
    note,
    flush() {
      running = running.then(write, write)
      return running
    },
  }
}

function countGone(kept: readonly Pick<RequestLog, 'created'>[], added: number, now: number): number {
  const tooMany = Math.max(0, Math.min(kept.length, kept.length + added - MAX_REQUEST_LOGS))
  const young = kept.findIndex(({ created }) => created > now - DEFAULT_RETENTION.maxAgeSeconds)
  return Math.max(tooMany, young === -1 ? kept.length : young)
}

function entryOf({ errorBody, ...seen }: SeenRequest): RequestLog {
  return createRequestLog({ ...seen, error: errorBody === null ? null : JSON.parse(errorBody).error })
}
