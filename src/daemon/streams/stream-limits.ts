import { DomainError } from '../../domain/domain-error.ts'

/** Maximum number of open streams, per API key and in total. */
export const STREAM_LIMITS = { perKey: 100, total: 500 }

const RETRY_AFTER_SECONDS = 5

/** The number of open streams. */
export interface StreamLimits {
  /** Counts a stream of a key until the returned function is called; throws `stream_limit` above a limit. */
  readonly open: (key: string) => () => void
}

/** Creates a counter of open streams. */
export function createStreamLimits({ perKey, total } = STREAM_LIMITS): StreamLimits {
  /** An entry for each open stream. */
  const open = new Set<{ readonly key: string }>()
  return {
    open(key) {
      const own = [...open].filter((stream) => stream.key === key)
      if (own.length >= perKey) throw tooMany(`This API key has ${perKey} streams open`)
      if (open.size >= total) throw tooMany(`The server has ${total} streams open`)
      const stream = { key }
      open.add(stream)
      return () => void open.delete(stream)
    },
  }
}

function tooMany(reason: string): DomainError {
  const message = `${reason}, which is the limit. Close streams that you do not read.`
  return new DomainError('stream_limit', message, { retryAfterSeconds: RETRY_AFTER_SECONDS })
}
