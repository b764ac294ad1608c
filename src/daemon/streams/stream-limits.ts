import { DomainError } from '../../domain/core/domain-error.ts'

/** Maximum number of open streams, per API key of the default sandbox and in total. */
export const STREAM_LIMITS = { perKey: 100, total: 500 }

const RETRY_AFTER_SECONDS = 5

/**
 * Creates a function that counts an open stream, and throws `stream_limit` above a limit. The function returns a
 * function to call at the end of the stream. The owner is a sandbox id, because the keys of a sandbox share its quota.
 * In the default sandbox, which has no quota, the owner is a key id.
 */
export function createStreamLimiter({ perKey, total } = STREAM_LIMITS) {
  const open = new Set<{ readonly owner: string }>()
  return (owner: string, quota: number | undefined): (() => void) => {
    const own = [...open].filter((stream) => stream.owner === owner).length
    if (own >= (quota ?? perKey))
      throw tooMany(`This ${quota === undefined ? 'API key' : 'sandbox'} has ${own} streams open`)
    if (open.size >= total) throw tooMany(`The server has ${total} streams open`)
    const stream = { owner }
    open.add(stream)
    return () => void open.delete(stream)
  }
}

function tooMany(reason: string): DomainError {
  const message = `${reason}, which is the limit. Close streams that you do not read.`
  return new DomainError('stream_limit', message, { retryAfterSeconds: RETRY_AFTER_SECONDS })
}
