import type { ServerResponse } from 'node:http'
import type { StreamClose } from '../../api/resources/stream-messages.ts'
import { createSerialRunner } from '../system/task-scheduling.ts'
import { formatServerSentEvent, type StreamSource } from './stream-source.ts'

const HEARTBEAT_MS = 15_000
/** A client that reads nothing for this time receives a `close` event and is disconnected; the client can resume. */
const STALL_TIMEOUT_MS = 45_000
/** Maximum time for a client to read the `close` event. */
const CLOSE_TIMEOUT_MS = 15_000
/** Maximum number of unsent bytes at which further records are read from the store. Offers have no such limit. */
const MAX_UNSENT_BYTES = 32 * 1024

const CLOSE_MESSAGES: Readonly<Record<StreamClose['reason'], string>> = {
  too_slow: `The server closed the stream: the client read nothing for ${STALL_TIMEOUT_MS / 1000} s`,
  left: 'The server closed the stream: the client left',
  key_ended: 'The server closed the stream: its API key was revoked or has expired',
  session_ended:
    'The server closed the stream: the session of this browser has ended. To sign in again, run paycli open dashboard',
  reset: 'The server closed the stream: its sandbox was reset. Resume after the position of sandbox.reset',
  stopping: 'The server closed the stream: the server is stopping',
}

/** An API key or a dashboard session. The stream is closed when the credential becomes invalid. */
export interface StreamCredential {
  readonly id: string
  /** Resolves with the reason to close the stream, or null while the credential is valid. */
  readonly findEnd: () => Promise<StreamClose['reason'] | null>
}

export interface StreamConnectionOptions {
  readonly response: ServerResponse
  readonly source: StreamSource
  readonly nowMs: () => number
  /** The stream starts after this position. */
  readonly after: string
  /** Returns the reason to close the stream because of its credential, or null; called before each chunk is sent. */
  readonly findKeyEnd: () => Promise<StreamClose['reason'] | null>
}

/** The connection of one client to a stream. */
export type StreamConnection = ReturnType<typeof createStreamConnection>

/** Creates a connection that writes server-sent events to a response whose headers are sent. */
export function createStreamConnection(options: StreamConnectionOptions) {
  const { response, source, nowMs, after, findKeyEnd } = options
  let position = after
  let lastWriteMs = nowMs()
  let unsentBytes = 0
  /** The time from which more than MAX_UNSENT_BYTES were queued and no byte was sent. */
  let stalledSinceMs: number | null = null
  let closedAtMs: number | null = null

  function write(bytes: Buffer): void {
    if (closedAtMs !== null) return
    lastWriteMs = nowMs()
    unsentBytes += bytes.length
    if (isFull()) stalledSinceMs ??= lastWriteMs
    response.write(bytes, () => {
      unsentBytes -= bytes.length
      stalledSinceMs = isFull() ? nowMs() : null
      // Ignore the error here, because the hub pulls again on every tick and reports errors of the store.
      pull().catch(() => {})
    })
  }

  const isFull = () => unsentBytes > MAX_UNSENT_BYTES
  const isFlowing = () => !response.closed && closedAtMs === null && !isFull()

  async function pullChunk(): Promise<boolean> {
    const chunk = await source.readAfter(position)
    if (chunk === null || closedAtMs !== null) return false
    // Check after the read, so that an event that was stored after the revocation is never sent.
    const end = await findKeyEnd()
    if (end !== null) close(end)
    if (closedAtMs !== null) return false
    position = chunk.position
    if (chunk.bytes.length > 0) write(chunk.bytes)
    return true
  }

  /** Sends all new records as fast as the client reads them; at most about 64 KiB and one event wait in memory. */
  const { run: pull } = createSerialRunner(async () => {
    while (isFlowing() && (await pullChunk()));
  })

  /** Sends a `close` event with the reason and ends the response. */
  function close(reason: StreamClose['reason']): void {
    if (closedAtMs !== null) return
    write(Buffer.from(formatServerSentEvent('close', { reason, message: CLOSE_MESSAGES[reason] }, position)))
    closedAtMs = nowMs()
    response.end()
  }

  return {
    /** Sends an event that is not a record of the stream, such as an offer. */
    send: (name: string, data: object) =>
      write(Buffer.from(formatServerSentEvent(name, data, name === 'ready' ? position : null))),
    pull,
    /** Sends a heartbeat to an idle client, and disconnects a stalled client; must be called regularly. */
    tick(): void {
      const now = nowMs()
      if (closedAtMs !== null) {
        if (now - closedAtMs >= CLOSE_TIMEOUT_MS) response.destroy()
      } else if (stalledSinceMs !== null && now - stalledSinceMs >= STALL_TIMEOUT_MS) close('too_slow')
      // The heartbeat contains the position, so that a client with a filter resumes without a scan of all events.
      else if (now - lastWriteMs >= HEARTBEAT_MS) write(Buffer.from(`: still here\nid: ${position}\n\n`))
    },
    isOpen: () => closedAtMs === null,
    close,
    /** Sends `sandbox.reset` with the position after which the new contents continue, and closes the stream. */
    closeAfterReset(sequence: number): void {
      position = source.positionAfterReset(sequence)
      write(Buffer.from(formatServerSentEvent('sandbox.reset', { continues_after: sequence }, position)))
      close('reset')
    },
  }
}
