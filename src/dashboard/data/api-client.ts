import { DEFAULT_SANDBOX_ID, readRoute } from '../routing/router.ts'

/** A page of a list of the API. */
export interface ApiListPage<T> {
  readonly data: readonly T[]
  readonly has_more: boolean
}

/** An error response of the API, or a lost connection with status 0. */
export class RequestError extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.name = 'RequestError'
    this.status = status
    this.code = code
  }
}

/** The query parameters of a request; an array is sent as `name[]`. */
export type QueryParams = Readonly<Record<string, string | number | readonly string[] | undefined>>

const CSRF_TOKEN = document.querySelector<HTMLMetaElement>('meta[name="csrf-token"]')?.content ?? ''

/** Returns the URL of a path of the API, such as `/v1/events`, in the sandbox of the current route. */
export function buildApiUrl(path: string, query: QueryParams = {}): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (typeof value === 'object') for (const one of value) params.append(`${name}[]`, one)
    else if (value !== undefined && value !== '') params.set(name, String(value))
  }
  const base = `/dashboard/${readRoute().sandbox}${path}`
  return params.size === 0 ? base : `${base}?${params}`
}

interface RequestOptions {
  readonly body?: object | undefined
  readonly signal?: AbortSignal | undefined
  readonly lastEventId?: string | undefined
  /** The key that identifies a change, so that the server executes it only once. */
  readonly idempotencyKey?: string | undefined
}

/** Returns a random idempotency key. */
export function generateIdempotencyKey(): string {
  return crypto.randomUUID()
}

/**
 * Sends a request of the dashboard; the browser adds the cookie. Throws a `RequestError` for a status other than 2xx
 * and for a lost connection.
 */
export async function sendRequest(
  method: 'GET' | 'POST',
  url: string,
  options: RequestOptions = {},
): Promise<Response> {
  const { body, signal = null, lastEventId, idempotencyKey } = options
  const response = await fetch(url, {
    method,
    signal,
    headers: {
      'Paycli-Csrf-Token': CSRF_TOKEN,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId }),
      ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch((error: unknown) => throwLost(error, signal))
  if (response.ok) return response
  throw await toRequestError(response)
}

/**
 * Sends a GET request and returns the body of the response. The caller chooses the type of the body, which is not
 * checked.
 */
export async function get<T>(path: string, query: QueryParams = {}, signal?: AbortSignal): Promise<T> {
  const response = await sendRequest('GET', buildApiUrl(path, query), { signal })
  // The connection may end in the middle of the body.
  return response.json().catch((error: unknown) => throwLost(error, signal))
}

/** Sends a POST request and returns the body of the response. */
export async function post<T>(path: string, body: object = {}, signal?: AbortSignal): Promise<T> {
  const response = await sendRequest('POST', buildApiUrl(path), { body, signal })
  return response.json().catch((error: unknown) => throwLost(error, signal))
}

function throwLost(error: unknown, signal?: AbortSignal | null): never {
  if (signal?.aborted) throw error
  throw new RequestError(0, 'connection_lost', 'The server does not respond. Is paycli serve running?')
}

async function toRequestError(response: Response): Promise<RequestError> {
  const { status } = response
  try {
    const { code, message } = (await response.json()).error
    return new RequestError(status, String(code), String(message))
  } catch {
    // A proxy between the browser and the server may send HTML.
    return new RequestError(status, 'unexpected_response', `Unexpected response: ${status}.`)
  }
}

/** The sandbox that this browser is signed in to; `default` opens every sandbox. */
export const SIGNED_IN_SANDBOX =
  document.querySelector<HTMLMetaElement>('meta[name="sandbox"]')?.content ?? DEFAULT_SANDBOX_ID

/** Ends the session of this browser, and opens the page that explains how to sign in. */
export async function signOut(): Promise<void> {
  // The session may already have expired or been signed out.
  await sendRequest('POST', `/dashboard/${SIGNED_IN_SANDBOX}/sessions/current/end`).catch(
    (error: unknown) => {
      if (!(error instanceof RequestError && error.status === 401)) throw error
    },
  )
  window.location.assign('/dashboard')
}
