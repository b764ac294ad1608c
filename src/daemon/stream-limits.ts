import { DomainError } from '../domain/domain-error.ts'

/** How many streams may be open at once: with one API key, and in all. */
export const STREAM_LIMITS = { perKey: 100, inAll: 500 }

const RETRY_AFTER_SECONDS = 5

/** Counts open streams. */
export interface StreamLimits {
  /** Counts one more stream of a key until the returned function is called; throws `stream_limit` when there are too many. */
  readonly open: (key: string) => () => void
}

/** Creates a count of no streams. */
export function createStreamLimits({ perKey, inAll } = STREAM_LIMITS): StreamLimits {
  const counts = new Map<string, number>()
  let total = 0

  function add(key: string, change: 1 | -1): void {
    const count = (counts.get(key) ?? 0) + change
    if (count === 0) counts.delete(key)
    else counts.set(key, count)
    total += change
  }

  return {
    open(key) {
      if ((counts.get(key) ?? 0) >= perKey) throw tooMany(`This API key has ${perKey} streams open`)
      if (total >= inAll) throw tooMany(`The server has ${inAll} streams open`)
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
  return new DomainError(
    'stream_limit',
    `${reason}, which is the limit. Close streams that you do not read.`,
    {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    },
  )
}
