import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeSync } from 'node:fs'
import type { Counter } from '../../../src/domain/counters.ts'
import { DomainError } from '../../../src/domain/domain-error.ts'
import { openLowdbStore } from '../../../src/store/file/lowdb.ts'
import type { Store } from '../../../src/store/port/store.ts'
import { commit, customer, event, turn } from '../fixture.ts'

/** What a child is told to do with its database. */
interface Order {
  /** Write with eight writers until it is refused, write once, or close. */
  readonly do: 'fill' | 'put' | 'close'
  /** What the ids of the customers it stores begin with. */
  readonly name: string
}

/** What became of an order. */
export interface Report {
  /** Customers that were acknowledged. */
  readonly kept: readonly string[]
  /** The code or message of what was refused, or of why the database could not be opened. */
  readonly refused: string | null
  /** How many customers a reader is told of. */
  readonly readable: number
}

/** Another process that works on a database. */
export interface Child {
  readonly process: ChildProcess
  /** Customers that it said were stored, in the order in which it said so. */
  readonly acknowledged: readonly string[]
  /** Called with how many there are, each time one more is acknowledged. */
  onAcknowledged: (count: number) => void
  readonly tell: (order: Order) => void
  readonly report: () => Promise<Report>
  /** Resolves with the signal that ended it, when all that it said was heard. */
  readonly ended: Promise<NodeJS.Signals | null>
}

interface ChildOptions {
  readonly file: string
  readonly minJournalBytes?: number
  /** The largest that any of its files may get, in KiB. */
  readonly fileLimitKib?: number
}

const WRITERS = 8
const URL = 'http://127.0.0.1:4321'

const running = new Set<ChildProcess>()

/** Ends all children that a failed test left; resolves when they are gone. */
export async function endChildren(): Promise<void> {
  const ends = [...running].map((child) => {
    child.kill('SIGKILL')
    return once(child, 'close')
  })
  await Promise.all(ends)
}

/** Starts a process that opens a database and waits for orders; its first report tells whether it is open. */
export function startChild({ file, minJournalBytes, fileLimitKib }: ChildOptions): Child {
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
  const reports: Report[] = []
  const self: Child = {
    process: child,
    acknowledged,
    onAcknowledged: () => {},
    tell: (order) => child.send(order),
    async report() {
      while (reports.length === 0) await once(child, 'message')
      return reports.shift() ?? NOTHING
    },
    ended: once(child, 'close').then(([, signal]) => signal),
  }
  child.on('message', (report) => reports.push(report as Report))
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

const NOTHING: Report = { kept: [], refused: null, readable: 0 }

/** Stores a customer with its event and counts it, all in one transaction, and says so as soon as it is stored. */
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
  // At once, so that it is said even when the process is killed right after it.
  writeSync(1, `${id}\n`)
}

async function write(store: Store, name: string): Promise<Report> {
  const kept: string[] = []
  let number = 0
  let refused: string | null = null
  const writer = async () => {
    while (refused === null) {
      number += 1
      const id = `${name}_${number}`
      try {
        await storeOne(store, id)
        kept.push(id)
      } catch (error) {
        refused = codeOf(error)
      }
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, writer))
  const { data } = await store.list('customers', { limit: 100_000 })
  return { kept, refused, readable: data.length }
}

async function obey(store: Store, { do: what, name }: Order): Promise<Report> {
  if (what === 'fill') return write(store, name)
  if (what === 'close') {
    await store.close()
    return NOTHING
  }
  const refused = await storeOne(store, name).then(() => null, codeOf)
  const { data } = await store.list('customers', { limit: 100_000 })
  return { kept: refused === null ? [name] : [], refused, readable: data.length }
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
  const send = (report: Report) => process.send?.(report)
  try {
    const store = await openLowdbStore({
      file,
      newSuffix: () => `suffix-${process.pid}-${count()}`,
      // A checkpoint gives way after each record, so that it takes long.
      clockwork: { pause: turn, monotonicMs: () => 10 * count() },
      holder: { pid: process.pid, url: URL },
      ...(minJournalBytes === '' ? {} : { minJournalBytes: Number(minJournalBytes) }),
    })
    process.on('message', (order: Order) => {
      obey(store, order).then((report) => {
        send(report)
        if (order.do === 'close') process.disconnect()
      })
    })
    send(NOTHING)
  } catch (error) {
    send({ ...NOTHING, refused: codeOf(error) })
    process.disconnect()
  }
}

if (process.argv[1] === import.meta.filename) await main(process.argv[2] ?? '', process.argv[3] ?? '')
