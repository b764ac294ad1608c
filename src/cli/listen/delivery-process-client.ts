import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Beginning, Carried, Errand, Farewell, Outbound, Outcome } from './delivery-process.ts'

const PROGRAM = fileURLToPath(new URL('delivery-process-main.js', import.meta.url))

/** Who sends for a listener, outlives it, and then reports in its place. */
export interface DeliveryProcess {
  /** Sends a delivery, and resolves with what came of it; rejects when the process that sends does not stay alive. */
  readonly send: (delivery: string, request: Outbound) => Promise<Outcome>
  /** Tells it that the service knows the result of a delivery. */
  readonly reported: (delivery: string) => void
  /** Tells it what to say to the service when the listener is gone, however it ends; null for nothing. */
  readonly farewell: (farewell: Farewell | null) => void
  /** Leaves it alone: it finishes what is on its way, says farewell and ends. This process need not wait for that. */
  readonly close: () => void
}

interface Waiting {
  readonly request: Outbound
  readonly resolve: (outcome: Outcome) => void
  readonly reject: (error: Error) => void
}

/**
 * A carrier in a process of its own, started with its first task. No signal for the listener's terminal reaches it. When it
 * is killed itself, another one sends again what nobody knows the outcome of.
 */
export function createDeliveryProcess(beginning: Beginning, program = PROGRAM): DeliveryProcess {
  const waiting = new Map<string, Waiting>()
  let farewell: Farewell | null = null
  let child: ChildProcess | null = null
  let isClosed = false
  let deathsInVain = 0

  function start(): ChildProcess {
    const started = fork(program, [], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      detached: true,
      windowsHide: true,
    })
    let said = ''
    started.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
    started.on('message', ({ delivery, outcome }: Carried) => {
      deathsInVain = 0
      waiting.get(delivery)?.resolve(outcome)
      waiting.delete(delivery)
    })
    started.once('error', (error) => {
      child = null
      fail(error)
    })
    started.once('close', () => replace(said))
    tell(started, beginning)
    tell(started, { kind: 'farewell', farewell })
    for (const [delivery, { request }] of waiting) tell(started, { kind: 'send', delivery, request })
    return started
  }

  function replace(said: string): void {
    child = null
    if (isClosed) return
    deathsInVain += 1
    if (deathsInVain > 1) fail(new Error(`The process that forwards ended twice in a row. ${said}`.trim()))
    else if (waiting.size > 0) child = start()
  }

  function fail(error: Error): void {
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }

  return {
    send(delivery, request) {
      const { promise, resolve, reject } = Promise.withResolvers<Outcome>()
      waiting.set(delivery, { request, resolve, reject })
      if (child === null) child = start()
      else tell(child, { kind: 'send', delivery, request })
      return promise
    },
    reported(delivery) {
      if (child !== null) tell(child, { kind: 'reported', delivery })
    },
    farewell(given) {
      farewell = given
      // Its start takes longer than a delivery may: it is at hand before the first one comes.
      if (child === null && given !== null) child = start()
      else if (child !== null) tell(child, { kind: 'farewell', farewell })
    },
    close() {
      isClosed = true
      if (child?.connected) child.disconnect()
      child?.stderr?.destroy()
      child?.unref()
    },
  }
}

// A process that is gone is told of by its end.
function tell(child: ChildProcess, message: Beginning | Errand): void {
  child.send(message, () => {})
}
