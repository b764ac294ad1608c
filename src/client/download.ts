import { createTimeoutError, toConnectionError } from './connection-error.ts'

const TIMEOUT_MS = 30_000

/** Downloads from a URL, without an API key, and follows redirects. Throws `ConnectionError` without a complete response. */
export async function downloadBytes(
  url: string,
): Promise<{ readonly response: Response; readonly bytes: Buffer }> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  try {
    const response = await fetch(url, { signal })
    return { response, bytes: Buffer.from(await response.arrayBuffer()) }
  } catch (error) {
    if (signal.aborted) throw createTimeoutError(url, TIMEOUT_MS)
    const { cause = error } = error as Error
    // Errors of fetch itself, such as too many redirects, have no code.
    const { code, message } = cause as NodeJS.ErrnoException
    throw toConnectionError(code ?? message, url)
  }
}
