/** The maximum delay of a timer, almost 25 days. setTimeout would treat a longer delay as 1 ms. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** Resolves after a number of milliseconds; rejects when `signal` aborts. */
export function waitUnlessAborted(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}

/** Resolves with the result of `work`, or with null after the timeout, which also aborts the signal of `work`. */
export async function runWithTimeout<T>(
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | null> {
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(), Math.min(ms, MAX_TIMER_MS))
  try {
    return await work(timeout.signal)
  } catch (error) {
    if (timeout.signal.aborted) return null
    throw error
  } finally {
    clearTimeout(timer)
  }
}
