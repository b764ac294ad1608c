import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { DeliveryRecord, EventRecord, ListenRecord } from '../../src/client/listen-records.ts'
import { ROOT } from '../support/root.ts'

/** A running `paycli listen --output json` process. */
export interface Listening {
  readonly records: readonly ListenRecord[]
  readonly stderr: () => string
  readonly pid: number
  /** Resolves once a record matches. */
  readonly until: (isWanted: (record: ListenRecord) => boolean) => Promise<ListenRecord>
  readonly kill: (signal: NodeJS.Signals) => void
  /** Resolves with the exit code, or the signal that ended the process. */
  readonly ended: Promise<number | NodeJS.Signals | null>
}

/** Starts a listener as a process and does not wait until it is ready. */
export function startListening(args: readonly string[], env: Readonly<Record<string, string>>): Listening {
  const all = [join(ROOT, 'bin', 'run.js'), 'listen', '--output', 'json', ...args]
  const child = spawn(process.execPath, all, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text
  })
  const records: ListenRecord[] = []
  const lines = createInterface({ input: child.stdout })
  lines.on('line', (line) => records.push(JSON.parse(line)))
  const ended = once(child, 'close').then(([code, signal]) => code ?? signal)
  return {
    records,
    stderr: () => stderr,
    pid: child.pid ?? 0,
    async until(isWanted) {
      for (;;) {
        const found = records.find(isWanted)
        if (found !== undefined) return found
        const isOver = await Promise.race([once(lines, 'line').then(() => false), ended.then(() => true)])
        if (isOver && !records.some(isWanted)) throw new Error(`the listener ended: ${stderr}`)
      }
    },
    kill: (signal) => void child.kill(signal),
    ended,
  }
}

/** Returns whether a record says that the listener is ready. */
export function isReady(record: ListenRecord): boolean {
  return record.type === 'state' && record.state === 'ready'
}

/** Returns the events of records. */
export function eventsOf(records: readonly ListenRecord[]): EventRecord['event'][] {
  return records.flatMap((record) => (record.type === 'event' ? [record.event] : []))
}

/** Returns the deliveries of records. */
export function deliveriesOf(records: readonly ListenRecord[]): DeliveryRecord[] {
  return records.flatMap((record) => (record.type === 'delivery' ? [record] : []))
}
