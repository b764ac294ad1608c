import { DomainError } from '../domain/domain-error.ts'

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
  const counts = new Map<string, number>()
  let openCount = 0

  function add(key: string, change: 1 | -1): void {
    const count = (counts.get(key) ?? 0) + change
    if (count === 0) counts.delete(key)
    else counts.set(key, count)
    openCount += change
  }

  return {
    open(key) {
      if ((counts.get(key) ?? 0) >= perKey) throw tooMany(`This API key has ${perKey} streams open`)
      if (openCount >= total) throw tooMany(`The server has ${total} streams open`)
      add(key, 1)
      let isOpen = true
      return () => {
        if (isOpen) add(key, -1)
        isOpen = false
      }
    },
  }
}

function tooMany(reason: string): DomainError {
  const message = `${reason}, which is the limit. Close streams that you do not read.`
  return new DomainError('stream_limit', message, { retryAfterSeconds: RETRY_AFTER_SECONDS })
}
