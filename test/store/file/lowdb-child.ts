import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeSync } from 'node:fs'
import type { Counter } from '../../../src/domain/core/counters.ts'
import { DomainError } from '../../../src/domain/core/domain-error.ts'
import { openLowdbDatabase } from '../../../src/store/file/lowdb-database.ts'
import type { Store } from '../../../src/store/port/store.ts'
import { commit, customer, event, waitForNextTurn } from '../fixture.ts'

/** A command for a child process. */
interface ChildCommand {
  /** Write with eight writers until an error, write once, or close. */
  readonly do: 'fill' | 'put' | 'close'
  /** Prefix of the customer ids. */
  readonly name: string
}

/** The result of a command. */
export interface ChildReport {
  /** Ids of acknowledged customers. */
  readonly kept: readonly string[]
  /** Code or message of the error that ended the command or prevented the opening. */
  readonly error: string | null
  /** Number of readable customers. */
  readonly readable: number
}

/** Another process that uses a database. */
export interface StoreProcess {
  readonly process: ChildProcess
  /** Ids of acknowledged customers, in order. */
  readonly acknowledged: readonly string[]
  /** Called with the number of acknowledged customers after each acknowledgement. */
  onAcknowledged: (count: number) => void
  readonly send: (command: ChildCommand) => void
  readonly report: () => Promise<ChildReport>
  /** Resolves with the signal that ended the process, after all of its output was read. */
  readonly ended: Promise<NodeJS.Signals | null>
}

interface ChildOptions {
  readonly file: string
  readonly minJournalBytes?: number
  /** Maximum size of a file in KiB. */
  readonly fileLimitKib?: number
}

const WRITERS = 8
const URL = 'http://127.0.0.1:4321'

const running = new Set<ChildProcess>()

/** Kills all children that a failed test left running. */
export async function endChildren(): Promise<void> {
  const ends = [...running].map((child) => {
    child.kill('SIGKILL')
    return once(child, 'close')
  })
  await Promise.all(ends)
}

/** Starts a process that opens a database and waits for commands; its first report is the result of the opening. */
export function startChild({ file, minJournalBytes, fileLimitKib }: ChildOptions): StoreProcess {
  const own = [import.meta.filename, file, String(minJournalBytes ?? '')]
  const stdio = ['ignore', 'pipe', 'inherit', 'ipc'] as const
  const limited = ['-c', `ulimit -S -f ${fileLimitKib} && exec "$@"`, 'bash', process.execPath, ...own]
  const child =
    fileLimitKib === undefined
      ? spawn(process.execPath, own, { stdio: [...stdio] })
      : spawn('bash', limited, { stdio: [...stdio] })
  running.add(child)
  child.on('close', () => running.delete(child))
  const acknowledged: string[] = []
  const reports: ChildReport[] = []
  const self: StoreProcess = {
    process: child,
    acknowledged,
    onAcknowledged: () => {},
    send: (command) => child.send(command),
    async report() {
      while (reports.length === 0) await once(child, 'message')
      return reports.shift() ?? EMPTY_REPORT
    },
    ended: once(child, 'close').then(([, signal]) => signal),
  }
  child.on('message', (report) => reports.push(report as ChildReport))
  let rest = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      acknowledged.push(line)
      self.onAcknowledged(acknowledged.length)
    }
  })
  return self
}

const EMPTY_REPORT: ChildReport = { kept: [], error: null, readable: 0 }

/** Stores a customer, its event and a counter in one transaction, and prints the id when it is stored. */
async function storeOne(store: Store, id: string): Promise<void> {
  await store.transact(async (reader) => {
    const record = customer(id)
    const value = ((await reader.get('counters', 'invoice_number'))?.value ?? 0) + 1
    const counter: Counter = { id: 'invoice_number', object: 'counter', value }
    return commit(null, {
      writes: [{ put: record }, { put: counter }],
      events: [event(`evt_${id}`, { data: { object: record } })],
    })
  })
  // The write is synchronous, so that a kill directly afterwards does not lose the id.
  writeSync(1, `${id}\n`)
}

async function write(store: Store, name: string): Promise<ChildReport> {
  const kept: string[] = []
  let number = 0
  let failure: string | null = null
  const writer = async () => {
    while (failure === null) {
      number += 1
      const id = `${name}_${number}`
      try {
        await storeOne(store, id)
        kept.push(id)
      } catch (error) {
        failure = codeOf(error)
      }
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, writer))
  const { data } = await store.list('customers', { limit: 100_000 })
  return { kept, error: failure, readable: data.length }
}

async function execute(store: Store, { do: what, name }: ChildCommand): Promise<ChildReport> {
  if (what === 'fill') return write(store, name)
  if (what === 'close') {
    await store.close()
    return EMPTY_REPORT
  }
  const error = await storeOne(store, name).then(() => null, codeOf)
  const { data } = await store.list('customers', { limit: 100_000 })
  return { kept: error === null ? [name] : [], error, readable: data.length }
}

function codeOf(error: unknown): string {
  if (error instanceof DomainError) return error.code
  return error instanceof Error ? error.message : String(error)
}

async function main(file: string, minJournalBytes: string): Promise<void> {
  let counted = 0
  const count = () => {
    counted += 1
    return counted
  }
  const send = (report: ChildReport) => process.send?.(report)
  try {
    const database = await openLowdbDatabase({
      file,
      newSuffix: () => `suffix-${process.pid}-${count()}`,
      // Yielding after each record makes checkpoints slow.
      scheduling: { yieldToEventLoop: waitForNextTurn, monotonicMs: () => 10 * count() },
      holder: { pid: process.pid, url: URL },
      ...(minJournalBytes === '' ? {} : { minJournalBytes: Number(minJournalBytes) }),
    })
    const store = database.defaultStore
    process.on('message', (command: ChildCommand) => {
      execute(store, command).then((report) => {
        send(report)
        if (command.do === 'close') process.disconnect()
      })
    })
    send(EMPTY_REPORT)
  } catch (error) {
    send({ ...EMPTY_REPORT, error: codeOf(error) })
    process.disconnect()
  }
}

if (process.argv[1] === import.meta.filename) await main(process.argv[2] ?? '', process.argv[3] ?? '')
