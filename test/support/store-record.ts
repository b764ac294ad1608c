import { appendFileSync } from 'node:fs'
import type { ListPage, Store, StoreReader, TransactionWork, Write } from '../../src/store/port/store.ts'

/** A method of StoreReader with its arguments. */
export type RecordedRead = readonly [method: keyof StoreReader, ...args: readonly unknown[]]

/** A transaction, or a read outside of a transaction. */
export interface RecordedStep {
  readonly reads: readonly RecordedRead[]
  /** The changes of the transaction; null for a read outside of a transaction. */
  readonly changes: Pick<Awaited<ReturnType<TransactionWork<unknown>>>, 'writes' | 'events'> | null
  /** The shape of each read and write; stores handle reads and writes of the same shape in the same way. */
  readonly shapes: readonly string[]
}

/** A store that records its use. */
export interface RecordingStore {
  readonly store: Store
  /**
   * Appends the steps to the file, one JSON document per store, unless the file already contains all of their shapes.
   */
  readonly save: () => void
}

/** Steps that are recorded per store; later steps rarely have new shapes. */
const MAX_STEPS = 2_000
/** The shapes that each file contains. */
const saved = new Map<string, Set<string>>()

/** Records the use of a store for a file, so that a test can repeat it on other stores. */
export function recordStore(store: Store, file: string): RecordingStore {
  const steps: RecordedStep[] = []
  const add = (step: RecordedStep) => {
    if (steps.length < MAX_STEPS) steps.push(step)
  }
  const reads = recordReads(store, (read, shape) => add({ reads: [read], changes: null, shapes: [shape] }))
  return {
    store: {
      ...store,
      ...reads,
      transact: (work) => store.transact((reader) => recordTransaction(reader, work, add)),
    },
    save() {
      const known = saved.get(file) ?? new Set()
      saved.set(file, known)
      const last = steps.findLastIndex(({ shapes }) => shapes.some((shape) => !known.has(shape)))
      if (last === -1) return
      const kept = steps.slice(0, last + 1)
      for (const { shapes } of kept) for (const shape of shapes) known.add(shape)
      appendFileSync(file, `${JSON.stringify(kept)}\n`)
    },
  }
}

// A transaction that the store repeats is recorded twice, because other stores can also run it twice.
async function recordTransaction<R>(
  reader: StoreReader,
  work: TransactionWork<R>,
  add: (step: RecordedStep) => void,
): ReturnType<TransactionWork<R>> {
  const reads: RecordedRead[] = []
  const shapes: string[] = []
  const recorded = recordReads(reader, (read, shape) => {
    reads.push(read)
    shapes.push(shape)
  })
  let changes: RecordedStep['changes'] = null
  try {
    const commit = await work(recorded)
    const { writes, events } = commit
    changes = { writes, events }
    shapes.push(...writes.map(shapeOfWrite), `${Math.min(events.length, 3)} events`)
    return commit
  } finally {
    add({ reads, changes: changes ?? { writes: [], events: [] }, shapes })
  }
}

/** Wraps the reads of a store. `note` gets each read with its shape. */
function recordReads(reader: StoreReader, note: (read: RecordedRead, shape: string) => void): StoreReader {
  const record =
    <A extends readonly unknown[], R>(method: keyof StoreReader, ask: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      const result = await ask(...args)
      note([method, ...args], shapeOfRead(method, args, result))
      return result
    }
  return {
    get: record('get', reader.get.bind(reader)) as StoreReader['get'],
    list: record('list', reader.list.bind(reader)) as StoreReader['list'],
    listDue: record('listDue', reader.listDue.bind(reader)),
    listOldest: record('listOldest', reader.listOldest.bind(reader)) as StoreReader['listOldest'],
    count: record('count', reader.count.bind(reader)),
    newestSequence: record('newestSequence', reader.newestSequence.bind(reader)),
  }
}

function shapeOfRead(method: keyof StoreReader, args: readonly unknown[], result: unknown): string {
  return `${method} ${args.map(shapeOfArgument).join(' ')} = ${shapeOfResult(result)}`
}

// The shape contains the names of collections, filters and ranges, but no ids, times and limits.
function shapeOfArgument(argument: unknown): string {
  if (typeof argument === 'number') return '0'
  if (typeof argument === 'string') return /^[a-z_]+$/.test(argument) ? argument : '…'
  if (Array.isArray(argument)) return `[${argument.map(shapeOfArgument).join()}]`
  if (argument === null || typeof argument !== 'object') return String(argument)
  const entries = Object.entries(argument).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([name, value]) => `${name}:${shapeOfArgument(value)}`).join()}}`
}

function shapeOfResult(result: unknown): string {
  if (result === null) return 'nothing'
  if (typeof result !== 'object') return result === 0 ? '0' : 'some'
  if (Array.isArray(result)) return sizeOf(result)
  return 'has_more' in result
    ? `${sizeOf((result as ListPage<unknown>).data)}${result.has_more ? ' of more' : ''}`
    : 'a record'
}

function sizeOf(list: readonly unknown[]): string {
  return list.length < 3 ? String(list.length) : 'several'
}

function shapeOfWrite(write: Write): string {
  if ('remove' in write) return `remove ${write.remove.object}`
  const fields = Object.entries(write.put).map(([name, value]) => (value === null ? `${name}?` : name))
  return `put ${write.put.object} ${fields.sort().join()}`
}
