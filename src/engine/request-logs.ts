import { DomainError } from '../domain/core/domain-error.ts'
import {
  createRequestLog,
  MAX_REQUEST_LOGS,
  type RequestLog,
  STREAM_PATH,
} from '../domain/requests/request-logs.ts'
import { DEFAULT_RETENTION } from '../domain/time/retention.ts'
import type { Store } from '../store/port/store.ts'

/** A request as it is buffered; `error` is parsed only when the log is stored. */
export interface LoggedRequest extends Omit<RequestLog, 'object' | 'livemode' | 'error'> {
  /** The body of an error response as JSON text; null for a success. */
  readonly errorBody: string | null
}

/** Buffers and stores request logs. */
export type RequestLogWriter = Awaited<ReturnType<typeof openRequestLogWriter>>

// Storing a log is slow compared with a request, so under load some requests are not logged.
const MAX_BUFFERED = { authenticated: 250, unauthenticated: 25, streaming: 25 } as const
/** Size at which the buffer is trimmed, so that most requests need not trim the buffer. */
const TRIMMED_AT = 1000

type Kind = keyof typeof MAX_BUFFERED
type StoredLog = Pick<RequestLog, 'id' | 'object' | 'created'>

/**
 * Returns the kind of a request. Each kind has its own limits, so that invalid requests and the requests of listeners
 * cannot displace other logs.
 */
function kindOf({ api_key, path }: Pick<RequestLog, 'api_key' | 'path'>): Kind {
  if (api_key === null) return 'unauthenticated'
  return path.startsWith(STREAM_PATH) ? 'streaming' : 'authenticated'
}

/** Returns the newest requests of each kind up to the limit of the kind, oldest first. */
function newestOfEachKind(requests: readonly LoggedRequest[]): LoggedRequest[] {
  const free = { ...MAX_BUFFERED } as Record<Kind, number>
  const newest = requests.toReversed().filter((request) => {
    const kind = kindOf(request)
    free[kind] -= 1
    return free[kind] >= 0
  })
  return newest.reverse()
}

/**
 * Opens the request log writer. Logs are stored later in batches, so no response waits for its log and a crash loses
 * the newest logs.
 */
export async function openRequestLogWriter(store: Store, retentionNow: () => number) {
  const stored: Readonly<Record<Kind, StoredLog[]>> = {
    authenticated: [],
    unauthenticated: [],
    streaming: [],
  }
  for (const log of await store.listOldest('request_logs', Number.MAX_SAFE_INTEGER)) addStored(log)
  let buffered: LoggedRequest[] = []
  let running: Promise<void> = Promise.resolve()

  function addStored(log: RequestLog): void {
    const { id, object, created } = log
    stored[kindOf(log)].push({ id, object, created })
  }

  /** Buffers a finished request. Drops the oldest requests above the limits. */
  function record(request: LoggedRequest): void {
    buffered.push(request)
    if (buffered.length >= TRIMMED_AT) buffered = newestOfEachKind(buffered)
  }

  function take(): LoggedRequest[] {
    const newest = newestOfEachKind(buffered)
    buffered = []
    return newest
  }

  async function write(): Promise<void> {
    const requests = take()
    const added = requests.map(toRequestLog)
    const expiredCounts = KINDS.map((kind) => {
      const more = added.filter((log) => kindOf(log) === kind).length
      return countExpired(stored[kind], more, MAX_REQUEST_LOGS[kind], retentionNow())
    })
    const removed = KINDS.flatMap((kind, at) => stored[kind].slice(0, expiredCounts[at]))
    if (added.length + removed.length === 0) return
    const writes = [...removed.map((remove) => ({ remove })), ...added.map((put) => ({ put }))]
    try {
      await store.transact(async () => ({ result: null, writes, events: [] }))
    } catch (error) {
      for (const request of [...requests, ...take()]) record(request)
      if (error instanceof DomainError) return
      throw error
    }
    for (const [at, kind] of KINDS.entries()) stored[kind].splice(0, expiredCounts[at])
    for (const log of added) addStored(log)
  }

  return {
    record,
    /**
     * Stores the buffered requests and deletes the logs over the limits. Resolves when the stored logs can be read. When
     * the store cannot write, keeps the requests for the next call.
     */
    flush(): Promise<void> {
      running = running.then(write, write)
      return running
    },
  }
}

const KINDS: readonly Kind[] = ['authenticated', 'unauthenticated', 'streaming']

function countExpired(stored: readonly StoredLog[], added: number, limit: number, now: number): number {
  const tooMany = Math.max(0, Math.min(stored.length, stored.length + added - limit))
  const young = stored.findIndex(({ created }) => created > now - DEFAULT_RETENTION.maxAgeSeconds)
  return Math.max(tooMany, young === -1 ? stored.length : young)
}

function toRequestLog({ errorBody, ...request }: LoggedRequest): RequestLog {
  return createRequestLog({ ...request, error: errorBody === null ? null : JSON.parse(errorBody).error })
}
