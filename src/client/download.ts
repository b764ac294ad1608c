import { timeoutError, toConnectionError } from './connection-error.ts'

const TIMEOUT_MS = 30_000

/** Downloads from a URL, without an API key, and follows redirects. Throws `ConnectionError` without a response. */
export async function download(url: string): Promise<Response> {
  try {
    return await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) })
  } catch (error) {
    const { code } = { ...((error as Error).cause as NodeJS.ErrnoException | undefined) }
    throw code === undefined ? timeoutError(url, TIMEOUT_MS) : toConnectionError(code, url)
  }
}
