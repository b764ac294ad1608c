import { openSync, writeSync } from 'node:fs'
import type { Event, UnsequencedEvent } from '../../src/domain/events/events.ts'
import type { Customer } from '../../src/domain/payments/customers.ts'
import { openDatabase } from './database.ts'
import { recordWithEvent } from './records.ts'

const AT_ONCE = 16
/** New objects per transaction, each with an event. A transaction also updates the record of its writer. */
export const NEW_PER_TRANSACTION = 2
const PRIVATE = 0o600

export interface CrashWriterOptions {
  readonly file: string
  /**
   * The file that receives a line for each acknowledged transaction. The parent reads it after it has killed this
   * process.
   */
  readonly acknowledged: string
  readonly minJournalBytes: number
  /** The number of the first transaction. */
  readonly from: number
}

/** Returns the id of object `part` of transaction `number`; its event has the same digits. */
export const partId = (number: number, part: number) => idOf(number * NEW_PER_TRANSACTION + part)
/** Returns the id of the record that a writer updates repeatedly. */
export const slotId = (slot: number) => `cus_slot${slot}`
export const WRITERS = AT_ONCE

function idOf(number: number): string {
  return recordWithEvent(number, { blend: 'customers', size: number }).record.id
}

/** Writes until it is killed, and logs each transaction after the store has acknowledged it. */
export async function startCrashWriter({ file, acknowledged, minJournalBytes, from }: CrashWriterOptions) {
  const store = await openDatabase(file, minJournalBytes)
  const note = openSync(acknowledged, 'a', PRIVATE)
  let next = from

  async function write(slot: number): Promise<void> {
    for (;;) {
      const number = next
      next += 1
      const { writes, events } = contents(number, slot)
      const committed = await store.transact(async () => ({ result: null, writes, events }))
      writeSync(note, `${number} ${slot} ${lastSequence(committed.events)}\n`)
    }
  }

  for (let slot = 0; slot < AT_ONCE; slot += 1) write(slot).catch(giveUp)
  return {}
}

function contents(number: number, slot: number) {
  const pairs = Array.from({ length: NEW_PER_TRANSACTION }, (_, part) =>
    recordWithEvent(number * NEW_PER_TRANSACTION + part, {
      blend: 'customers',
      size: number * NEW_PER_TRANSACTION,
    }),
  )
  const customer = pairs[0]?.record as Customer
  const changed = { ...customer, id: slotId(slot), description: String(number) }
  const events: UnsequencedEvent[] = pairs.map(({ event }) => event)
  return { writes: [...pairs.map(({ record }) => ({ put: record })), { put: changed }], events }
}

function lastSequence(events: readonly Event[]): number {
  return events.at(-1)?.sequence ?? 0
}

function giveUp(error: unknown): never {
  process.stderr.write(`${String(error)}\n`)
  process.exit(1)
}
