import { DomainError } from '../../domain/domain-error.ts'
import { DEFAULT_SANDBOX } from '../../domain/sandboxes.ts'

/** Maximum number of open streams: per API key of the default sandbox, per other sandbox with all its keys, and in total. */
export const STREAM_LIMITS = { perKey: 100, perSandbox: 50, total: 500 }

const RETRY_AFTER_SECONDS = 5

/** The number of open streams. */
export interface StreamLimits {
  /** Counts a stream of a key until the returned function is called; throws `stream_limit` above a limit. */
  readonly open: (sandbox: string, key: string) => () => void
}

/** Creates a counter of open streams. */
export function createStreamLimits({ perKey, perSandbox, total } = STREAM_LIMITS): StreamLimits {
  /** An entry for each open stream. */
  const open = new Set<{ readonly owner: string }>()
  return {
    open(sandbox, key) {
      // The keys of a sandbox can create further keys, so a limit per key would be none.
      const isDefault = sandbox === DEFAULT_SANDBOX
      const [owner, max, name] = isDefault ? [key, perKey, 'API key'] : [sandbox, perSandbox, 'sandbox']
      const own = [...open].filter((stream) => stream.owner === owner)
      if (own.length >= max) throw tooMany(`This ${name} has ${max} streams open`)
      if (open.size >= total) throw tooMany(`The server has ${total} streams open`)
      const stream = { owner }
      open.add(stream)
      return () => void open.delete(stream)
    },
  }
}

function tooMany(reason: string): DomainError {
  const message = `${reason}, which is the limit. Close streams that you do not read.`
  return new DomainError('stream_limit', message, { retryAfterSeconds: RETRY_AFTER_SECONDS })
}
