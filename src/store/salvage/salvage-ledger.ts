import type { Stored } from '../../domain/changes.ts'
import { Records } from '../memory/records.ts'
import { COLLECTION_NAMES, collectionOf } from '../port/collections.ts'
import type { Write } from '../port/store.ts'

/** A record that was saved although nothing proves that it is as the database had it. */
export interface SuspectRecord {
  readonly object: string
  readonly id: string
  /**
   * `unverified`: read from bytes that do not match their checksum. `outdated`: intact, but a transaction that may have
   * changed or removed it afterwards is lost.
   */
  readonly reason: 'unverified' | 'outdated'
}

const UNVERIFIED = -1

/** Collects what a salvage reads and what each record rests on. */
export class SalvageLedger {
  readonly records = new Records()
  /** One sentence for each place that could not be read. */
  readonly lost: string[] = []
  /** How many times transactions were lost so far. */
  #losses = 0
  /** How many losses there were when a record was read last, where that is not 0, or UNVERIFIED. */
  readonly #readAfter = new Map<string, number>()

  /** Notes that transactions are lost: every record read so far may have been changed by them. */
  loseTransactions(place: string): void {
    this.lost.push(place)
    this.#losses += 1
  }

  /** Keeps a record of the snapshot; an unverified one never replaces another. */
  load(
    record: Stored,
    { isVerified, place }: { readonly isVerified: boolean; readonly place: string },
  ): void {
    try {
      const key = keyOf(record)
      const known = this.records.get(collectionOf(record), record.id)
      if (known !== null && !isVerified) {
        this.lost.push(`${place} repeats the id ${record.id} of another record`)
        return
      }
      this.records.put(record)
      if (isVerified) this.#readAfter.delete(key)
      else this.#readAfter.set(key, UNVERIFIED)
    } catch (error) {
      this.lost.push(`${place} holds no record that can be kept (${String(error)})`)
    }
  }

  /** Applies an intact transaction. */
  apply(writes: readonly Write[], place: string): void {
    try {
      this.records.apply(writes, { before: this.records.newest, stamp: 0 })
    } catch (error) {
      this.loseTransactions(`${place} cannot be applied (${String(error)})`)
      return
    }
    for (const write of writes) {
      const key = keyOf('put' in write ? write.put : write.remove)
      if (this.#losses === 0 || 'remove' in write) this.#readAfter.delete(key)
      else this.#readAfter.set(key, this.#losses)
    }
  }

  /** Returns every record that was kept and is not proved to be the latest state of it. */
  suspects(): SuspectRecord[] {
    if (this.#losses === 0 && this.#readAfter.size === 0) return []
    const found: SuspectRecord[] = []
    for (const record of COLLECTION_NAMES.flatMap((name) => [...this.records.all(name)])) {
      const { object, id } = record
      const readAfter = this.#readAfter.get(keyOf(record)) ?? 0
      if (readAfter === UNVERIFIED) found.push({ object, id, reason: 'unverified' })
      else if (readAfter < this.#losses) found.push({ object, id, reason: 'outdated' })
    }
    return found
  }
}

const keyOf = ({ object, id }: Pick<Stored, 'object' | 'id'>) => `${object} ${id}`
