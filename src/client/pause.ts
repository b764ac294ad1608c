/** Resolves after some milliseconds; rejects as soon as `signal` aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
}

/** Resolves with what `work` resolves with, or with null after so many milliseconds, when its signal aborts. */
export async function withinMs<T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T | null> {
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(), ms)
  try {
    return await work(limit.signal)
  } catch (error) {
    if (limit.signal.aborted) return null
    throw error
  } finally {
    clearTimeout(timer)
  }
}
