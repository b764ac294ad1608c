import type { IncomingMessage } from 'node:http'
import { createParser, type EventSourceMessage } from 'eventsource-parser'
import type { StreamClose } from '../api/resources/stream-messages.ts'
import { isJsonObject, parseJson } from '../domain/core/json-object.ts'
import { ApiError, parseApiError } from './api-error.ts'
import {
  ConnectionError,
  createNotPaycliError,
  createTimeoutError,
  toConnectionError,
} from './connection-error.ts'
import { toQueryString } from './request.ts'
import { readResponse, sendHttpRequest } from './send-request.ts'
import type { ServerConnection } from './server-connection.ts'
import { sendToProvenServer } from './server-proof.ts'
import { waitUnlessAborted } from './timing.ts'

const STREAM = '/v1/stream'
const SILENCE_MS = 45_000
const MIN_BACKOFF_MS = 250
const MAX_BACKOFF_MS = 5000
// The number of failed attempts in a row after which the state is `down`.
const ATTEMPTS_UNTIL_DOWN = 5

/** State of the connection: `retrying` after a lost connection, `down` after five failed attempts in a row. */
export type StreamState = 'connecting' | 'ready' | 'retrying' | 'down'

export interface FollowStreamOptions extends ServerConnection {
  /** Path of the stream (default: `/v1/stream`). */
  readonly path?: string
  /** Query parameters of the stream, without the position. */
  readonly query: object
  /** The id after which the stream starts (default: new messages only). */
  readonly after?: string | undefined
  /** Called with each server-sent event in order. */
  readonly onMessage: (message: EventSourceMessage) => void
  /** Called on each change of the state and on each failure, with the error message after a failure. */
  readonly onState?: (state: StreamState, reason: string | null) => void
  /** Milliseconds without data after which the connection counts as lost (default: 45000). */
  readonly silenceMs?: number
  /** Returns the milliseconds to wait after a number of failures in a row (default: 250 to 5000). */
  readonly backoffMs?: (failures: number) => number
  readonly signal: AbortSignal
}

/**
 * Reads a stream until `signal` aborts, and resumes it after each lost connection. Rejects when the first connection fails,
 * with a permanent error response, and with any error that `onMessage` or `onState` throws. The callbacks must not
 * throw `ConnectionError` or `ApiError`, which count as errors of the connection.
 */
export async function followStream(options: FollowStreamOptions): Promise<void> {
  const { signal, onState = () => {}, backoffMs = getDefaultBackoffMs } = options
  const position: StreamPosition = { after: options.after, database: null, hasBeenReady: false }
  let failures = 0
  onState('connecting', null)
  while (!signal.aborted) {
    try {
      const close = await readConnection(options, position, () => {
        failures = 0
        onState('ready', null)
      })
      // After a reset, the stream continues immediately with the new contents of the sandbox.
      if (close?.reason === 'reset') continue
      const problem = close?.message ?? 'The server closed the stream'
      throw new ConnectionError('connection_lost', options.apiBase, { problem, hint: CLOSED_HINT })
    } catch (error) {
      // Any error other than a `ConnectionError` or an `ApiError` comes from a callback or an invalid message.
      const isOfConnection = error instanceof ConnectionError || error instanceof ApiError
      if (isOfConnection && signal.aborted) return
      if (!position.hasBeenReady || !isTransientError(error)) throw error
      failures += 1
      onState(failures < ATTEMPTS_UNTIL_DOWN ? 'retrying' : 'down', error.message)
      await waitUnlessAborted(backoffMs(failures), signal).catch(() => {})
    }
  }
}

/** Returns 250 ms for the first failure and doubles the time with each further failure, up to 5000 ms. */
export function getDefaultBackoffMs(failures: number): number {
  return Math.min(MIN_BACKOFF_MS * 2 ** (failures - 1), MAX_BACKOFF_MS)
}

/** The position before the first event. */
const START = '0'
const CLOSED_HINT = 'The stream resumes after the last event.'

interface StreamPosition {
  after: string | undefined
  database: string | null
  hasBeenReady: boolean
}

/** Returns whether the same request may succeed later: after a connection error, a 429 or a 5xx. */
export function isTransientError(error: unknown): error is Error {
  if (error instanceof ApiError) return error.status >= 500 || error.status === 429
  return error instanceof ConnectionError
}

// Returns the server's `close` event, or null without that event.
async function readConnection(
  options: FollowStreamOptions,
  position: StreamPosition,
  onReady: () => void,
): Promise<Pick<StreamClose, 'reason' | 'message'> | null> {
  const { signal, onMessage } = options
  let close: StreamClose | null = null
  let isOtherDatabase = false
  const parser = createParser({
    onEvent(message) {
      if (signal.aborted || isOtherDatabase) return
      if (message.event === 'ready') {
        const { database }: { readonly database: string } = JSON.parse(message.data)
        const { database: previous, after = START } = position
        isOtherDatabase = previous !== null && previous !== database
        position.database = database
        position.after = isOtherDatabase ? START : after
        if (isOtherDatabase) {
          const data = JSON.stringify({ after, continues_after: START })
          return onMessage({ id: START, event: 'reset', data })
        }
        position.hasBeenReady = true
        onReady()
      }
      // A new database is expected after a reset. The id of the message is the position in the new database.
      if (message.event === 'sandbox.reset') position.database = null
      if (message.event === 'close') close = JSON.parse(message.data) as StreamClose
      onMessage(message)
    },
    // The parser calls `onId` before `onEvent`, and also for heartbeats, which have an id and no data.
    onId(id) {
      if (!signal.aborted && !isOtherDatabase) position.after = id
    },
  })
  for await (const chunk of readChunks(options, position.after)) {
    parser.feed(chunk)
    if (isOtherDatabase) return { reason: 'reset', message: '' }
  }
  return close
}

/** Opens the stream and yields its data as strings. Rejects with `ConnectionError` or `ApiError`. */
async function* readChunks(options: FollowStreamOptions, after: string | undefined): AsyncGenerator<string> {
  const { silenceMs = SILENCE_MS, signal, apiBase } = options
  const silence = new AbortController()
  let timer = setTimeout(() => silence.abort(), silenceMs)
  try {
    const response = await openStream(options, after, AbortSignal.any([signal, silence.signal]))
    response.setEncoding('utf8')
    for await (const chunk of response) {
      clearTimeout(timer)
      timer = setTimeout(() => silence.abort(), silenceMs)
      yield chunk as string
    }
  } catch (error) {
    if (silence.signal.aborted) throw createTimeoutError(apiBase, silenceMs)
    const code = error instanceof Error && 'code' in error ? String(error.code) : null
    throw code === null || error instanceof ConnectionError || error instanceof ApiError
      ? error
      : toConnectionError(code, apiBase)
  } finally {
    clearTimeout(timer)
  }
}

async function openStream(
  { apiBase, apiKey, readServerSecret, query, path = STREAM }: FollowStreamOptions,
  after: string | undefined,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const headers = {
    Accept: 'text/event-stream',
    ...(apiKey === undefined ? {} : { Authorization: `Bearer ${apiKey}` }),
    ...(after === undefined ? {} : { 'Last-Event-ID': after }),
  }
  const request = { method: 'GET', path: `${path}?${toQueryString(query)}`, headers, body: null } as const
  const response =
    readServerSecret === undefined
      ? await sendHttpRequest(apiBase, request, signal)
      : await sendToProvenServer(apiBase, request, signal, readServerSecret)
  const isStream = response.headers['content-type']?.startsWith('text/event-stream') === true
  if (response.statusCode === 200 && isStream) return response
  const { status, contentType, body } = await readResponse(response)
  const value = parseJson(body)
  const apiError = isJsonObject(value) ? parseApiError(status, value) : null
  throw apiError ?? createNotPaycliError(apiBase, status, `no stream (${contentType})`)
}
