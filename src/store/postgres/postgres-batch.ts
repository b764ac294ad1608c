import { DomainError } from '../../domain/domain-error.ts'
import { type Collection, collectionOf } from '../port/collections.ts'
import { type Newest, numberEvents } from '../port/event-sequence.ts'
import type { Commit, Committed, MeasureTime, Reader, Write } from '../port/store.ts'
import { BEGIN, type Connection, type Row } from './postgres-connection.ts'
import { createReader } from './postgres-reader.ts'
import { writeStatements } from './postgres-writes.ts'
import { createRememberingReader } from './remembering-reader.ts'

/** What a transaction asks for, and who waits for it. */
export interface Job {
  readonly work: (reader: Reader) => Promise<Commit<unknown>>
  readonly resolve: (committed: Committed<unknown>) => void
  readonly reject: (error: unknown) => void
}

/** How the tables of a database are to be found, and who changes them. */
export interface Site {
  readonly schema: string
  /** How records are laid out in their columns. */
  readonly layout: string
  /** Names this process to those that hear of its changes. */
  readonly holder: string
  readonly measureTime: MeasureTime
}

/** The time of the database's clock when it is evaluated, in milliseconds since 1970. */
export const DATABASE_MS = 'extract(epoch FROM clock_timestamp())::float8 * 1000'

/** Transactions that share one commit. */
export interface Batch {
  /**
   * Runs one transaction; resolves when the next one may run, with whether there is something to store of it, and rejects
   * when none of the batch can be stored.
   */
  readonly add: (job: Job) => Promise<boolean>
  /** Stores all of them and lets those who wait know; rejects when none of it was stored, or nobody knows. */
  readonly commit: () => Promise<void>
}

/** The channel by which the processes at one schema tell each other that something changed. */
export function channelOf(schema: string): string {
  return `paycli_${schema}`.slice(0, 63)
}

/** Begins a transaction at the database in which nobody else changes anything, and so nobody else takes a number. */
export async function beginBatch(connection: Connection, site: Site, onStored: () => void): Promise<Batch> {
  const measured = site.measureTime()
  // The clock is read when the row is locked: no other process has read a later time in a transaction before this one.
  // Both are sent at once. Prepared, because it is the one statement of every transaction.
  const [, [row]] = await Promise.all([
    connection.run(BEGIN),
    connection.ask(
      `WITH locked AS MATERIALIZED
         (SELECT sequence::float8, told::float8, place::float8, layout FROM "${site.schema}".head WHERE id = 1 FOR UPDATE)
       SELECT *, ${DATABASE_MS} AS now_ms FROM locked`,
      [],
    ),
  ])
  if (row !== undefined) measured(Number(row.now_ms))
  const head = headOf(row, site)
  const { ask, mustNotFail } = watched(connection)
  const { reader, forget } = createRememberingReader(
    createReader(ask, { schema: site.schema, newestSequence: async () => head.sequence }),
  )
  const statements: Promise<unknown>[] = []
  const told: (() => void)[] = []

  function store({ result, writes, events: unsequenced }: Commit<unknown>): Committed<unknown> {
    const { events, newest } = numberEvents(unsequenced, head)
    const all: Write[] = [...writes, ...events.map((event) => ({ put: event }))]
    const nextPlace = () => {
      head.place += 1
      return head.place
    }
    // Each waits for the one before it on the connection, so what is read later is read after them.
    for (const { text, values } of writeStatements(site.schema, all, nextPlace)) {
      const sent = ask(text, values)
      sent.catch(() => {})
      statements.push(sent)
    }
    Object.assign(head, newest)
    forget(collectionsOf(all))
    return { result, events }
  }

  return {
    async add({ work, resolve, reject }) {
      try {
        const committed = store(await work(reader))
        told.push(() => resolve(committed))
        return true
      } catch (error) {
        mustNotFail()
        // It may rest on what the others of this batch are about to store.
        told.push(() => reject(error))
        return false
      }
    },
    async commit() {
      await Promise.all(statements)
      mustNotFail()
      if (statements.length === 0) await connection.run('ROLLBACK')
      else {
        await end(connection, site, head)
        onStored()
      }
      for (const tell of told) tell()
    },
  }
}

/** Refuses a process whose records are laid out in another way now: what it would read of them might be wrong. */
export class Outdated extends DomainError {}

/** The numbers given out last. */
interface Head extends Newest {
  place: number
}

function headOf(row: Row | undefined, { layout }: Site): Head {
  requireLayout(row, layout)
  return { sequence: Number(row?.sequence), told: Number(row?.told), place: Number(row?.place) }
}

/** Refuses a row of `head` that another version has written. */
export function requireLayout(row: Row | undefined, layout: string): void {
  if (row?.layout === layout) return
  throw new Outdated(
    'unavailable',
    'Another version of paycli has taken the database over. Start this one anew with that version.',
  )
}

// Whoever asked may take a failure of the database for a refusal and go on; what was asked then is still in doubt.
function watched(connection: Connection) {
  const failures: unknown[] = []
  return {
    ask: (text: string, values: readonly unknown[]) =>
      connection.ask(text, values).catch((error: unknown) => {
        failures.push(error)
        throw error
      }),
    mustNotFail() {
      if (failures.length > 0) throw failures[0]
    },
  }
}

function collectionsOf(writes: readonly Write[]): ReadonlySet<Collection> {
  return new Set(writes.map((write) => collectionOf('put' in write ? write.put : write.remove)))
}

async function end(connection: Connection, { schema, holder }: Site, head: Head): Promise<void> {
  try {
    await connection.run(
      `UPDATE "${schema}".head SET sequence = ${head.sequence}, told = ${head.told}, place = ${head.place} WHERE id = 1;
       SELECT pg_notify('${channelOf(schema)}', '${holder}');
       COMMIT`,
    )
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'unavailable') throw error
    const inDoubt = new DomainError(
      'unavailable',
      'The database went away while it stored this, so it may be stored or not. Send it again with the same Idempotency-Key to learn which.',
      { retryAfterSeconds: 1 },
    )
    inDoubt.cause = error.cause
    throw inDoubt
  }
}
