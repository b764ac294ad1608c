import { EventEmitter, once } from 'node:events'
import type { DeliveryRecord, EventRecord, ListenOutputRecord } from '../../src/client/listen-records.ts'
import { runCommand } from '../support/run-command.ts'
import { spawnPaycli } from './paycli.ts'

/** A running `paycli listen --output json`. */
export interface Listening {
  readonly records: readonly ListenOutputRecord[]
  /** Resolves once a record matches. */
  readonly until: (isWanted: (record: ListenOutputRecord) => boolean) => Promise<ListenOutputRecord>
  readonly kill: (signal: NodeJS.Signals) => void
  /** Resolves with the exit code, or the signal that ended the process. */
  readonly ended: Promise<number | NodeJS.Signals | null>
}

/** Starts a listener as a process and does not wait until it is ready. */
export function startListeningProcess(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Listening {
  const child = spawnPaycli(commandLine(args), env)
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text
  })
  const printed = collectRecords()
  child.stdout.setEncoding('utf8').on('data', printed.add)
  const ended = once(child, 'close').then(([code, signal]) => code ?? signal)
  return {
    records: printed.records,
    until: (isWanted) => printed.until(isWanted, ended, () => stderr),
    kill: (signal) => void child.kill(signal),
    ended,
  }
}

/** Starts a listener in this process, which runs no other command until it has ended. */
export function startListening(args: readonly string[], env: Readonly<Record<string, string>>): Listening {
  const printed = collectRecords()
  let stderr = ''
  const ended = runCommand(commandLine(args), env, { onStdout: printed.add }).then((result) => {
    stderr = result.stderr
    return result.code
  })
  return {
    records: printed.records,
    until: (isWanted) => printed.until(isWanted, ended, () => stderr),
    // Calls the signal handlers of the command, as the signal would.
    kill: (signal) => void process.emit(signal),
    ended,
  }
}

function commandLine(args: readonly string[]): string[] {
  return ['listen', '--output', 'json', ...args]
}

/** Collects the records of an output that arrives in chunks. */
function collectRecords() {
  const records: ListenOutputRecord[] = []
  const added = new EventEmitter()
  let rest = ''
  return {
    records,
    add(text: string) {
      const lines = `${rest}${text}`.split('\n')
      rest = lines.pop() ?? ''
      records.push(...lines.map((line) => JSON.parse(line)))
      added.emit('records')
    },
    /** Resolves once a record matches; rejects if the listener ends first. */
    async until(
      isWanted: (record: ListenOutputRecord) => boolean,
      ended: Promise<unknown>,
      stderr: () => string,
    ) {
      for (;;) {
        const found = records.find(isWanted)
        if (found !== undefined) return found
        const isOver = await Promise.race([once(added, 'records').then(() => false), ended.then(() => true)])
        if (isOver && !records.some(isWanted)) throw new Error(`the listener ended: ${stderr()}`)
      }
    },
  }
}

/** Returns whether a record reports that the listener is ready. */
export function isReady(record: ListenOutputRecord): boolean {
  return record.type === 'state' && record.state === 'ready'
}

/** Returns the events of records. */
export function eventsOf(records: readonly ListenOutputRecord[]): EventRecord['event'][] {
  return records.flatMap((record) => (record.type === 'event' ? [record.event] : []))
}

/** Returns the deliveries of records. */
export function deliveriesOf(records: readonly ListenOutputRecord[]): DeliveryRecord[] {
  return records.flatMap((record) => (record.type === 'delivery' ? [record] : []))
}
