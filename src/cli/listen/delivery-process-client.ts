import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type {
  DeliveryOutcome,
  DeliveryProcessConfig,
  DeliveryProcessMessage,
  DeliveryResult,
  LeaveRequest,
  OutboundRequest,
} from './delivery-process.ts'

const PROGRAM = fileURLToPath(new URL('delivery-process-main.js', import.meta.url))

/** A process that sends the deliveries of a listener, outlives it, and then reports the results in its place. */
export interface DeliveryProcess {
  /** Sends a delivery and resolves with its outcome. Rejects when the process ends twice in a row. */
  readonly send: (delivery: string, request: OutboundRequest) => Promise<DeliveryOutcome>
  /** Notes that the service has the result of a delivery. */
  readonly markReported: (delivery: string) => void
  /** Sets the request that the process sends after the listener has ended; null for none. */
  readonly setLeaveRequest: (request: LeaveRequest | null) => void
  /** Disconnects: the process finishes its deliveries, sends the leave request and ends by itself. */
  readonly close: () => void
}

interface PendingDelivery {
  readonly request: OutboundRequest
  readonly resolve: (outcome: DeliveryOutcome) => void
  readonly reject: (error: Error) => void
}

/**
 * Creates a delivery process, started on first use. It is detached, so that signals from the listener's terminal do not
 * reach it. If it is killed, a new one sends the deliveries without an outcome again.
 */
export function createDeliveryProcess(config: DeliveryProcessConfig, program = PROGRAM): DeliveryProcess {
  const pending = new Map<string, PendingDelivery>()
  let leaveRequest: LeaveRequest | null = null
  let child: ChildProcess | null = null
  let isClosed = false
  let failedStarts = 0

  function start(): ChildProcess {
    const started = fork(program, [], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      detached: true,
      windowsHide: true,
    })
    let stderr = ''
    started.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
    })
    started.on('message', ({ delivery, outcome }: DeliveryResult) => {
      failedStarts = 0
      pending.get(delivery)?.resolve(outcome)
      pending.delete(delivery)
    })
    started.once('error', (error) => {
      child = null
      rejectAll(error)
    })
    started.once('close', () => restart(stderr))
    post(started, config)
    post(started, { kind: 'leave', request: leaveRequest })
    for (const [delivery, { request }] of pending) post(started, { kind: 'send', delivery, request })
    return started
  }

  function restart(stderr: string): void {
    child = null
    if (isClosed) return
    failedStarts += 1
    if (failedStarts > 1) rejectAll(new Error(`The delivery process ended twice in a row. ${stderr}`.trim()))
    else if (pending.size > 0) child = start()
  }

  function rejectAll(error: Error): void {
    for (const { reject } of pending.values()) reject(error)
    pending.clear()
  }

  return {
    send(delivery, request) {
      const { promise, resolve, reject } = Promise.withResolvers<DeliveryOutcome>()
      pending.set(delivery, { request, resolve, reject })
      if (child === null) child = start()
      else post(child, { kind: 'send', delivery, request })
      return promise
    },
    markReported(delivery) {
      if (child !== null) post(child, { kind: 'reported', delivery })
    },
    setLeaveRequest(request) {
      leaveRequest = request
      // Start the process before the first delivery, because a start can take longer than a delivery may.
      if (child === null && request !== null) child = start()
      else if (child !== null) post(child, { kind: 'leave', request })
    },
    close() {
      isClosed = true
      if (child?.connected) child.disconnect()
      child?.stderr?.destroy()
      child?.unref()
    },
  }
}

// The 'close' event handles a process that has ended, so errors of single messages are ignored.
function post(child: ChildProcess, message: DeliveryProcessConfig | DeliveryProcessMessage): void {
  child.send(message, () => {})
}
