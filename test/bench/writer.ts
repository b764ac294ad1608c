import { DatabaseSync } from 'node:sqlite'
import { Low } from 'lowdb'
import { JSONFile } from 'lowdb/node'
import { createIds } from '../../src/daemon/system/ids.ts'
import type { RuleContext } from '../../src/domain/changes.ts'
import { openDatabase, storePairs } from './database.ts'
import { newCustomerWithEvent, type RecordWithEvent, recordWithEvent } from './records.ts'

const OBJECTS_IN_PLAIN = 5000

/** The store under test: paycli, SQLite with one transaction per create, or unmodified lowdb. */
export type WriterStore = 'paycli' | 'sqlite' | 'lowdb'

export interface WriterOptions {
  readonly way: WriterStore
  readonly file: string
}

type Create = (pair: RecordWithEvent) => Promise<void>

/** Creates customers with their events without HTTP; a create counts when it is durable. */
export async function openWriter({ way, file }: WriterOptions) {
  const create = await WAYS[way](file)
  const { newId } = createIds()
  let number = 0
  return {
    /** Returns durable creates per second at this concurrency. */
    async rate(atOnce: number, seconds: number): Promise<number> {
      const startedMs = performance.now()
      let count = 0
      const one = async () => {
        while (performance.now() - startedMs < seconds * 1000) {
          number += 1
          await create(newCustomerWithEvent(number, newId as RuleContext['newId']))
          count += 1
        }
      }
      await Promise.all(Array.from({ length: atOnce }, one))
      return (count * 1000) / (performance.now() - startedMs)
    },
  }
}

const WAYS: Readonly<Record<WriterStore, (file: string) => Promise<Create>>> = {
  async paycli(file) {
    const store = await openDatabase(file)
    return (pair) => storePairs(store, [pair])
  },
  async sqlite(file) {
    const db = new DatabaseSync(file)
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
    db.exec('CREATE TABLE customers (id TEXT PRIMARY KEY, body TEXT) WITHOUT ROWID')
    db.exec('CREATE TABLE events (sequence INTEGER PRIMARY KEY, id TEXT, body TEXT)')
    const putCustomer = db.prepare('INSERT INTO customers VALUES (?, ?)')
    const putEvent = db.prepare('INSERT INTO events (id, body) VALUES (?, ?)')
    return async ({ record, event }) => {
      db.exec('BEGIN IMMEDIATE')
      putCustomer.run(record.id, JSON.stringify(record))
      putEvent.run(event.id, JSON.stringify(event))
      db.exec('COMMIT')
    }
  },
  async lowdb(file) {
    const pairs = Array.from({ length: OBJECTS_IN_PLAIN }, (_, at) =>
      recordWithEvent(at, { blend: 'customers', size: OBJECTS_IN_PLAIN }),
    )
    const customers = pairs.map(({ record }) => record)
    const events = pairs.map(({ event }) => event)
    const db = new Low(new JSONFile<{ customers: unknown[]; events: unknown[] }>(file), { customers, events })
    return async ({ record, event }) => {
      db.data.customers.push(record)
      db.data.events.push(event)
      await db.write()
    }
  },
}
