import type { ParamsOf, ResultOf } from '../api/core/operation.ts'
import { type Answer, exchange } from './exchange.ts'
import { isFields } from './fields.ts'
import { type Callable, type Outgoing, requestOf } from './request.ts'

const DEFAULT_TIMEOUT_MS = 30_000
const MAX_TRIES = 3
const MAX_PAUSE_MS = 5000
const LOST_CONNECTION: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE'])

export interface ClientOptions {
  /** Address of the API without `/v1`, such as `http://127.0.0.1:4100`. */
  readonly apiBase: string
  readonly apiKey?: string | undefined
  /** The idempotency key of every POST; each has a new one of its own unless given. */
  readonly idempotencyKey?: string | undefined
  /** How long a call may take with all its retries; 30 seconds unless given, and Infinity is as long as it takes. */
  readonly timeoutMs?: number
  /** Is told what an answer warns of, such as parameters that `paycli serve --lenient` ignored. */
  readonly onWarning?: (warning: string) => void
}

export interface Client {
  /** Calls an operation; rejects with `ApiError` for the service's no, `ConnectionError` when no answer came. */
  call<O extends Callable>(operation: O, params: ParamsOf<O>): Promise<ResultOf<O>>
  /** The same for parameters whose types are known only to the service, such as those made of flags. */
  send(operation: Callable, params: object): Promise<object>
  /** What time it is where the service runs, in Unix seconds. */
  now(): Promise<number>
}

const HEALTH: Callable = { method: 'GET', path: '/healthz' }

/** A client of the API at one address. */
export function createClient(options: ClientOptions): Client {
  const send = async (operation: Callable, params: object) => {
    const outgoing = authorized(requestOf(operation, params, options.idempotencyKey), options.apiKey)
    const answer = await answerTo(options, outgoing)
    const result = await resultOf(options.apiBase, answer)
    if (answer.warning !== null) options.onWarning?.(answer.warning)
    return result
  }
  return {
    send,
    // The service answers with what the operation declares; nothing here could tell otherwise.
    call: (operation, params) => send(operation, Object(params)) as Promise<never>,
    async now() {
      const answer = await answerTo(options, requestOf(HEALTH, {}))
      await resultOf(options.apiBase, answer)
      if (answer.sentAt !== null) return answer.sentAt
      throw (await connectionErrors()).notPaycli(options.apiBase, answer.status, 'no date')
    },
  }
}

function authorized(outgoing: Outgoing, apiKey: string | undefined): Outgoing {
  if (apiKey === undefined) return outgoing
  return { ...outgoing, headers: { ...outgoing.headers, Authorization: `Bearer ${apiKey}` } }
}

async function answerTo(
  { apiBase, timeoutMs = DEFAULT_TIMEOUT_MS }: ClientOptions,
  outgoing: Outgoing,
): Promise<Answer> {
  const deadline = new AbortController()
  // A timer cannot wait for Infinity: it would ring at once.
  const timer = timeoutMs === Infinity ? undefined : setTimeout(() => deadline.abort(), timeoutMs)
  try {
    return await answerWithin(apiBase, outgoing, deadline.signal)
  } catch (error) {
    const { connectionFailure, timedOut } = await connectionErrors()
    const key = outgoing.headers['Idempotency-Key'] ?? null
    if (deadline.signal.aborted) throw timedOut(apiBase, timeoutMs, key)
    const systemCode = systemCodeOf(error)
    throw systemCode === null ? error : connectionFailure(systemCode, apiBase, key)
  } finally {
    clearTimeout(timer)
  }
}

async function answerWithin(apiBase: string, outgoing: Outgoing, signal: AbortSignal): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    const isLast = tries === MAX_TRIES
    try {
      const answer = await exchange(apiBase, outgoing, signal)
      if (isLast || answer.status !== 409 || answer.retryAfterSeconds === null) return answer
      const { pause } = await import('./pause.ts')
      await pause(Math.min(answer.retryAfterSeconds * 1000, MAX_PAUSE_MS), signal)
    } catch (error) {
      if (isLast || !isRepeatable(outgoing) || !LOST_CONNECTION.has(systemCodeOf(error) ?? '')) throw error
    }
  }
}

// A change may have been carried out before its answer was lost; a POST has a key, so it is not done twice.
function isRepeatable({ method }: Outgoing): boolean {
  return method !== 'DELETE'
}

function systemCodeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null
}

async function resultOf(apiBase: string, { status, body, contentType, location }: Answer): Promise<object> {
  const value = parsed(body)
  if (status >= 200 && status < 300 && isFields(value)) return value
  const { notPaycli, redirected } = await connectionErrors()
  if (status >= 300 && status < 400) throw redirected(apiBase, status, location)
  if (!isFields(value)) throw notPaycli(apiBase, status, `no JSON object (${contentType})`)
  const { readApiError } = await import('./api-error.ts')
  throw readApiError(status, value) ?? notPaycli(apiBase, status, 'JSON that is none of its errors')
}

// What most calls never need is loaded by those that do: each module is a part of the time a command takes.
function connectionErrors() {
  return import('./connection-error.ts')
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
