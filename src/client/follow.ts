import type { IncomingMessage } from 'node:http'
import { ApiError, readApiError } from './api-error.ts'
import { ConnectionError, connectionFailure, notPaycli, timedOut } from './connection-error.ts'
import { isFields } from './fields.ts'
import { createFrameReader, type Frame } from './frames.ts'
import { pause } from './pause.ts'
import { queryOf } from './request.ts'

const STREAM = '/v1/stream'
const SILENCE_MS = 45_000
const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 5000
/** After so many tries in vain it is not a hiccup any more. */
const TRIES_UNTIL_DOWN = 5
const MAX_ERROR_BYTES = 1024 * 1024

/** How the connection is: `retrying` soon after it was lost, `down` when it stays so. */
export type StreamState = 'connecting' | 'ready' | 'retrying' | 'down'

export interface FollowOptions {
  readonly apiBase: string
  readonly apiKey?: string | undefined
  /** Which stream; that of events unless given. */
  readonly path?: string
  /** What to ask the stream for, without the place. */
  readonly query: object
  /** The place after which to begin; with what comes unless given. */
  readonly after?: string | undefined
  /** Called with each server-sent event in order. */
  readonly onFrame: (frame: Frame) => void
  /** Called whenever the state changes, with the reason in words when it is no good one. */
  readonly onState?: (state: StreamState, reason: string | null) => void
  /** How long the service may be silent before it counts as gone, in milliseconds; 45 s unless given. */
  readonly silenceMs?: number
  /** How long to wait before it tries again, in milliseconds, given how often it failed; 0.25 to 5 s unless given. */
  readonly pauseMs?: (failures: number) => number
  readonly signal: AbortSignal
}

/**
 * Reads a stream of the service until `signal` aborts, and reconnects for ever where it was, after 0.25 to 5 s. Rejects when
 * there is nothing at the first try, whenever the service says no, and with what `onFrame` or
 * `onState` throws.
 */
export async function follow(options: FollowOptions): Promise<void> {
  const { signal, onState = () => {}, pauseMs = usualPauseMs } = options
  const place: Place = { after: options.after, database: null, hasBeenReady: false }
  let failures = 0
  onState('connecting', null)
  while (!signal.aborted) {
    try {
      const farewell = await readOnce(options, place, () => {
        failures = 0
        asReader(() => onState('ready', null))
      })
      const problem = farewell ?? 'The service ended the stream'
      throw new ConnectionError('connection_lost', options.apiBase, { problem, hint: ENDED_HINT })
    } catch (error) {
      if (error instanceof ReaderFailure) throw error.cause
      if (signal.aborted) return
      if (error instanceof AnotherDatabase) {
        const data = JSON.stringify({ after: error.after, continues_after: START })
        options.onFrame({ id: START, event: 'reset', data })
        continue
      }
      if (!place.hasBeenReady || !isPassing(error)) throw error
      failures += 1
      onState(failures < TRIES_UNTIL_DOWN ? 'retrying' : 'down', error.message)
      await pause(pauseMs(failures), signal).catch(() => {})
    }
  }
}

/** 0.25 s after the first failure, twice as long after each further one, 5 s at the most. */
export function usualPauseMs(failures: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS)
}

/** The place before everything. */
const START = '0'
const ENDED_HINT = 'It goes on where it was.'

interface Place {
  after: string | undefined
  database: string | null
  hasBeenReady: boolean
}

/** The service has another database than before: its events begin anew. */
class AnotherDatabase extends Error {
  readonly after: string

  constructor(after: string) {
    super('another database')
    this.after = after
  }
}

/** Holds what the reader of the stream threw: no error of the connection, whatever it looks like. */
class ReaderFailure extends Error {
  constructor(cause: unknown) {
    super('the reader failed', { cause })
  }
}

/**
 * Whether a failure is the service's state of the moment, so that the same may work later: what a restart or a proxy in
 * between may answer for a while. A no to the key or the question stays one.
 */
export function isPassing(error: unknown): error is Error {
  if (error instanceof ApiError) return error.status >= 500 || error.status === 429
  return error instanceof ConnectionError
}

// Gives what the service said when it ended the stream, if anything.
async function readOnce(options: FollowOptions, place: Place, onReady: () => void): Promise<string | null> {
  const { silenceMs = SILENCE_MS, signal, apiBase } = options
  let farewell: string | null = null
  const silence = new AbortController()
  let timer = setTimeout(() => silence.abort(), silenceMs)
  const stopping = AbortSignal.any([signal, silence.signal])
  const read = createFrameReader((frame) => {
    if (stopping.aborted) return
    if (frame.event === 'ready') enter(JSON.parse(frame.data), frame, { place, onReady })
    if (frame.event === 'close') farewell = String(JSON.parse(frame.data).message)
    if (frame.data !== '') asReader(() => options.onFrame(frame))
    if (frame.id !== null) place.after = frame.id
  })
  try {
    const response = await open(options, place, stopping)
    for await (const piece of response) {
      clearTimeout(timer)
      timer = setTimeout(() => silence.abort(), silenceMs)
      read(piece as Buffer)
    }
    return farewell
  } catch (error) {
    if (error instanceof ReaderFailure) throw error
    if (silence.signal.aborted) throw timedOut(apiBase, silenceMs)
    const code = error instanceof Error && 'code' in error ? String(error.code) : null
    throw code === null || error instanceof ConnectionError || error instanceof ApiError
      ? error
      : connectionFailure(code, apiBase)
  } finally {
    clearTimeout(timer)
  }
}

function asReader(work: () => void): void {
  try {
    work()
  } catch (error) {
    throw new ReaderFailure(error)
  }
}

function enter(
  { database }: { readonly database: string },
  { id }: Frame,
  { place, onReady }: { readonly place: Place; readonly onReady: () => void },
): void {
  const [former, after = id ?? START] = [place.database, place.after]
  const isOther = former !== null && former !== database
  place.database = database
  place.after = isOther ? START : after
  if (isOther) throw new AnotherDatabase(after)
  place.hasBeenReady = true
  onReady()
}

function open(options: FollowOptions, { after }: Place, signal: AbortSignal): Promise<IncomingMessage> {
  const { apiBase, apiKey, query, path: stream = STREAM } = options
  const { origin, pathname, protocol } = new URL(apiBase)
  const http =
    protocol === 'https:' ? process.getBuiltinModule('node:https') : process.getBuiltinModule('node:http')
  const headers = {
    Accept: 'text/event-stream',
    ...(apiKey === undefined ? {} : { Authorization: `Bearer ${apiKey}` }),
    ...(after === undefined ? {} : { 'Last-Event-ID': after }),
  }
  const path = `${pathname.replace(/\/$/, '')}${stream}?${queryOf(query)}`
  return new Promise((resolve, reject) => {
    const request = http.get(origin, { path, headers, agent: false, signal }, (response) => {
      const isStream = response.headers['content-type']?.startsWith('text/event-stream') === true
      if (response.statusCode === 200 && isStream) resolve(response)
      else refusal(apiBase, response).then(reject, reject)
    })
    request.on('error', reject)
  })
}

async function refusal(apiBase: string, response: IncomingMessage): Promise<Error> {
  const { statusCode: status = 0, headers } = response
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of response) {
    bytes += (piece as Buffer).length
    if (bytes <= MAX_ERROR_BYTES) pieces.push(piece as Buffer)
  }
  const value: unknown = parsed(Buffer.concat(pieces).toString('utf8'))
  const known = isFields(value) ? readApiError(status, value) : null
  return known ?? notPaycli(apiBase, status, `no stream (${headers['content-type'] ?? 'no content type'})`)
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
