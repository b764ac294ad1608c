import { setTimeout as wait } from 'node:timers/promises'

const TIMEOUT_MS = 2000
const MAX_WAIT_MS = 2000

/**
 * Calls the API and returns the response body. Repeats a request whose response is lost, 429 or 5xx; pass `key` with every POST, so
 * that a repeated request is not executed twice.
 */
export async function callApi(method, path, { body, key, attempts = 5 } = {}) {
  for (let attempt = 1; ; attempt += 1) {
    const response = await send(method, path, { body, key })
    if (response !== null && response.status < 400) return response.body
    const isFinal = response !== null && response.status < 500 && response.status !== 429
    if (isFinal || attempt >= attempts) {
      const error = response === null ? 'no response' : `status ${response.status}`
      throw new Error(`${method} ${path} failed: ${error}`)
    }
    await wait(Math.min(response?.retryAfterMs || 50 * 2 ** attempt, MAX_WAIT_MS))
  }
}

/** Sends a request once; returns null if its response does not arrive completely. */
async function send(method, path, { body, key }) {
  const headers = { authorization: `Bearer ${process.env.PAYCLI_API_KEY}` }
  if (body !== undefined) headers['content-type'] = 'application/json'
  if (key !== undefined) headers['idempotency-key'] = key
  try {
    const response = await fetch(process.env.PAYCLI_API_BASE + path, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const retryAfterMs = 1000 * Number(response.headers.get('retry-after') ?? 0)
    return { status: response.status, retryAfterMs, body: await response.json() }
  } catch {
    return null
  }
}
