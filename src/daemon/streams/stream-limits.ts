import { DomainError } from '../../domain/core/domain-error.ts'

/** Maximum number of open streams, per API key of the default sandbox and in total. */
export const STREAM_LIMITS = { perKey: 100, total: 500 }

const RETRY_AFTER_SECONDS = 5

/** The clients that share a limit of open streams: all keys of a sandbox, or one key of the default sandbox. */
interface StreamOwner {
  /** Distinguishes the owner from others. */
  readonly id: string
  /** The quota of the sandbox; undefined for a key of the default sandbox. */
  readonly quota: number | undefined
}

/** Counts the open streams and enforces their limits. */
export interface StreamLimits {
  /** Counts a stream until the returned function is called; throws `stream_limit` above a limit. */
  readonly open: (owner: StreamOwner) => () => void
}

/** Creates a counter of open streams. */
export function createStreamLimits({ perKey, total } = STREAM_LIMITS): StreamLimits {
  /** An entry for each open stream. */
  const open = new Set<StreamOwner>()
  return {
    open({ id, quota }) {
      const own = [...open].filter((stream) => stream.id === id).length
      const limit = quota ?? perKey
      if (own >= limit)
        throw tooMany(`This ${quota === undefined ? 'API key' : 'sandbox'} has ${own} streams open`)
      if (open.size >= total) throw tooMany(`The server has ${total} streams open`)
      const stream = { id, quota }
      open.add(stream)
      return () => void open.delete(stream)
    },
  }
}

function tooMany(reason: string): DomainError {
  const message = `${reason}, which is the limit. Close streams that you do not read.`
  return new DomainError('stream_limit', message, { retryAfterSeconds: RETRY_AFTER_SECONDS })
}
