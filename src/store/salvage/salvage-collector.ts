import type { StoredObject } from '../../domain/core/changes.ts'
import { getJournalPath } from '../file/journal.ts'
import { MemoryRecords } from '../memory/memory-records.ts'
import { COLLECTION_NAMES, getCollectionName } from '../port/collections.ts'
import type { Write } from '../port/store.ts'

/** A salvaged record that may not be in its latest state. */
export interface SuspectRecord {
  readonly object: string
  readonly id: string
  /**
   * `unverified`: read from bytes that do not match their checksum. `outdated`: intact, but a later transaction was
   * lost that may have changed or removed the record.
   */
  readonly reason: 'unverified' | 'outdated'
}

const UNVERIFIED = -1

/** Collects salvaged records, and tracks which records may be unverified or outdated. */
export class SalvageCollector {
  readonly records = new MemoryRecords()
  /** One message for each position that could not be read. */
  readonly lost: string[] = []
  /** Number of times that transactions were lost. */
  #losses = 0
  /** The value of `#losses` when a record was last read, or UNVERIFIED; no entry for 0. */
  readonly #lossesBefore = new Map<string, number>()

  /** Reports lost transactions, which may have changed every record that was read before. */
  reportLostTransactions(place: string): void {
    this.lost.push(place)
    this.#losses += 1
  }

  /** Reports the transactions of a journal whose file is missing. */
  reportMissingJournal(database: string, generation: number): void {
    this.reportLostTransactions(`${getJournalPath(database, generation)}: the file is missing`)
  }

  /** Adds a record of the snapshot; an unverified record never replaces another record. */
  load(record: StoredObject, isVerified: boolean, place: string): void {
    try {
      const key = keyOf(record)
      const known = this.records.get(getCollectionName(record), record.id)
      if (known !== null && !isVerified) {
        this.lost.push(`${place} repeats the id ${record.id} of another record`)
        return
      }
      this.records.put(record)
      if (isVerified) this.#lossesBefore.delete(key)
      else this.#lossesBefore.set(key, UNVERIFIED)
    } catch (error) {
      this.lost.push(`${place} contains no valid record (${String(error)})`)
    }
  }

  /** Applies an intact transaction. */
  apply(writes: readonly Write[], place: string): void {
    try {
      this.records.apply(writes, 0)
    } catch (error) {
      this.reportLostTransactions(`${place} cannot be applied (${String(error)})`)
      return
    }
    for (const write of writes) {
      const key = keyOf('put' in write ? write.put : write.remove)
      if (this.#losses === 0 || 'remove' in write) this.#lossesBefore.delete(key)
      else this.#lossesBefore.set(key, this.#losses)
    }
  }

  /** Returns every collected record that may not be in its latest state. */
  findSuspects(): SuspectRecord[] {
    if (this.#losses === 0 && this.#lossesBefore.size === 0) return []
    const found: SuspectRecord[] = []
    for (const record of COLLECTION_NAMES.flatMap((name) => [...this.records.all(name)])) {
      const { object, id } = record
      const lossesBefore = this.#lossesBefore.get(keyOf(record)) ?? 0
      if (lossesBefore === UNVERIFIED) found.push({ object, id, reason: 'unverified' })
      else if (lossesBefore < this.#losses) found.push({ object, id, reason: 'outdated' })
    }
    return found
  }
}

const keyOf = ({ object, id }: Pick<StoredObject, 'object' | 'id'>) => `${object} ${id}`
