import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { DeliveryRecord, EventRecord, ListenRecord } from '../../src/client/listen-records.ts'
import { ROOT } from '../support/root.ts'

/** A real `paycli listen --output json`. */
export interface Listening {
  readonly records: readonly ListenRecord[]
  readonly stderr: () => string
  readonly pid: number
  /** Resolves once a record is as wanted. */
  readonly until: (isWanted: (record: ListenRecord) => boolean) => Promise<ListenRecord>
  readonly kill: (signal: NodeJS.Signals) => void
  /** Resolves when it has ended, with its exit code or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals | null>
}

/** Starts a listener as a process of its own; it need not be ready yet. */
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

/** Whether a record says that the connection stands. */
export function isReady(record: ListenRecord): boolean {
  return record.type === 'state' && record.state === 'ready'
}

/** The events among records. */
export function eventsOf(records: readonly ListenRecord[]): EventRecord['event'][] {
  return records.flatMap((record) => (record.type === 'event' ? [record.event] : []))
}

/** The deliveries among records. */
export function deliveriesOf(records: readonly ListenRecord[]): DeliveryRecord[] {
  return records.flatMap((record) => (record.type === 'delivery' ? [record] : []))
}
