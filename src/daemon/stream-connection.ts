import type { ServerResponse } from 'node:http'
import type { StreamClose } from '../api/resources/streams.ts'
import { frameText, type StreamSource } from './stream-source.ts'

const HEARTBEAT_MS = 15_000
/** A reader that does not take what waits for so long is told so and cut off; it resumes where it was. */
const STALLED_MS = 45_000
/** How long it may take to read that. */
const FAREWELL_MS = 15_000
/** Bytes that may wait in memory for a reader; more is read from the store once they are sent. Offers may add a little. */
const MAX_UNSENT_BYTES = 32 * 1024

const FAREWELLS: Readonly<Record<StreamClose['reason'], string>> = {
  too_slow: `The service ended the stream: nothing was read of it for ${STALLED_MS / 1000} s`,
  left: 'The service ended the stream: its reader has left',
  key_ended: 'The service ended the stream: its API key was revoked or has expired',
  stopping: 'The service ended the stream: it stops',
}

/** What a reader asked for, and how it is told of it. */
export interface StreamSubject {
  readonly response: ServerResponse
  readonly source: StreamSource
  readonly nowMs: () => number
  /** The place after which to begin. */
  readonly after: string
  /** Whether the reader's API key is still open; asked after each piece is read and before it is sent. */
  readonly isKeyOpen: () => Promise<boolean>
}

/** One reader of a stream. */
export interface StreamConnection {
  /** Sends an event of the stream that has no place of its own: what comes before it has been sent. */
  readonly send: (name: string, data: object) => void
  /** Sends what it has not had, as fast as it takes it; about 64 KiB and an event wait in memory at most. */
  readonly pull: () => Promise<void>
  /** Keeps an idle connection alive and ends one that is stuck; call it from time to time. */
  readonly tick: () => void
  /** Whether it is still sent anything. */
  readonly isOpen: () => boolean
  /** Says why, and ends it. */
  readonly close: (reason: StreamClose['reason']) => void
}

/** Writes server-sent events to a response whose head is written. */
export function createStreamConnection(subject: StreamSubject): StreamConnection {
  const { response, source, nowMs, after, isKeyOpen } = subject
  let place = after
  let lastWriteMs = nowMs()
  let unsent = 0
  /** Since when nothing was sent of too much that waits. */
  let stuckSinceMs: number | null = null
  let closedAtMs: number | null = null
  let pulling: Promise<void> | null = null
  let isAskedAgain = false

  function write(bytes: Buffer): void {
    if (closedAtMs !== null) return
    lastWriteMs = nowMs()
    unsent += bytes.length
    if (isFull()) stuckSinceMs ??= lastWriteMs
    response.write(bytes, () => {
      unsent -= bytes.length
      stuckSinceMs = isFull() ? nowMs() : null
      // Whoever tells of changes pulls too, and hears of it when the store does not answer.
      pull().catch(() => {})
    })
  }

  async function pullAll(): Promise<void> {
    do {
      isAskedAgain = false
      while (isFlowing() && (await pullPiece()));
    } while (isAskedAgain)
  }

  const isFull = () => unsent > MAX_UNSENT_BYTES
  const isFlowing = () => !response.closed && closedAtMs === null && !isFull()

  async function pullPiece(): Promise<boolean> {
    const piece = await source.after(place)
    if (piece === null || closedAtMs !== null) return false
    // An event that was stored after its key was revoked was also read after that, so it is never sent.
    if (!(await isKeyOpen())) close('key_ended')
    if (closedAtMs !== null) return false
    place = piece.place
    if (piece.bytes.length > 0) write(piece.bytes)
    return true
  }

  function pull(): Promise<void> {
    if (pulling !== null) isAskedAgain = true
    pulling ??= pullAll().finally(() => {
      pulling = null
    })
    return pulling
  }

  function close(reason: StreamClose['reason']): void {
    if (closedAtMs !== null) return
    write(Buffer.from(frameText('close', { reason, message: FAREWELLS[reason] }, place)))
    closedAtMs = nowMs()
    response.end()
  }

  return {
    send: (name, data) => write(Buffer.from(frameText(name, data, name === 'ready' ? place : null))),
    pull,
    tick() {
      const now = nowMs()
      if (closedAtMs !== null) {
        if (now - closedAtMs >= FAREWELL_MS) response.destroy()
      } else if (stuckSinceMs !== null && now - stuckSinceMs >= STALLED_MS) close('too_slow')
      // The place goes with it, so that a reader of few types does not look through everything again.
      else if (now - lastWriteMs >= HEARTBEAT_MS) write(Buffer.from(`: still here\nid: ${place}\n\n`))
    },
    isOpen: () => closedAtMs === null,
    close,
  }
}
