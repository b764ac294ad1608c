import { hasRecordId, type IndexedRecord } from './indexed-record.ts'
import { hashText } from './text-hash.ts'

const SHARD_COUNT = 64
/** Up to this size, one table takes less memory than 64 tables. Moving its entries takes a fraction of a millisecond. */
const MAX_SINGLE_ENTRIES = 2048
const FIRST_SLOTS = 8
const MAX_LOAD = 0.75

/**
 * Finds the records of a collection by id. The hash table has no keys, because each record has its id: a `Map` takes
 * three times the memory and twice the time. A large index has 64 tables, so that each table grows quickly.
 */
export class IdIndex {
  #tables: readonly IdTable[] = [new IdTable()]

  get(id: string): IndexedRecord | undefined {
    const hash = hashText(id)
    return this.#tableFor(hash).find(id, hash)
  }

  /** Adds an entry whose id is new. */
  add(id: string, entry: IndexedRecord): void {
    const hash = hashText(id)
    const table = this.#tableFor(hash)
    table.insert(entry, hash)
    if (this.#tables.length === 1 && table.size > MAX_SINGLE_ENTRIES) this.#split(table)
  }

  remove(id: string): void {
    const hash = hashText(id)
    this.#tableFor(hash).remove(id, hash)
  }

  #tableFor(hash: number): IdTable {
    // The high bits select the table, because the low bits select the slot in the table.
    return this.#tables[this.#tables.length === 1 ? 0 : hash >>> 26] as IdTable
  }

  #split(single: IdTable): void {
    this.#tables = Array.from({ length: SHARD_COUNT }, () => new IdTable())
    single.forEach((entry, hash) => {
      this.#tableFor(hash).insert(entry, hash)
    })
  }
}

/** A hash table with linear probing. */
class IdTable {
  size = 0
  #slots: (IndexedRecord | undefined)[] = emptySlots(FIRST_SLOTS)
  /** The hashes of the entries in `#slots`, which most lookups compare instead of ids. */
  #hashes = new Int32Array(FIRST_SLOTS)

  find(id: string, hash: number): IndexedRecord | undefined {
    return this.#slots[this.#slotOf(id, hash)]
  }

  insert(entry: IndexedRecord, hash: number): void {
    if (this.size + 1 > this.#slots.length * MAX_LOAD) this.#grow()
    this.size += 1
    this.#place(entry, hash)
  }

  remove(id: string, hash: number): void {
    const mask = this.#slots.length - 1
    let free = this.#slotOf(id, hash)
    if (this.#slots[free] === undefined) return
    this.size -= 1
    // Move back the entries that a search would no longer find behind the free slot.
    for (let at = (free + 1) & mask; this.#slots[at] !== undefined; at = (at + 1) & mask) {
      const first = (this.#hashes[at] ?? 0) & mask
      if (((at - first) & mask) < ((at - free) & mask)) continue
      this.#slots[free] = this.#slots[at]
      this.#hashes[free] = this.#hashes[at] ?? 0
      free = at
    }
    this.#slots[free] = undefined
  }

  forEach(visit: (entry: IndexedRecord, hash: number) => void): void {
    for (let at = 0; at < this.#slots.length; at += 1) {
      const entry = this.#slots[at]
      if (entry !== undefined) visit(entry, this.#hashes[at] ?? 0)
    }
  }

  /** Returns the slot of an id, or the free slot where the search for this id ends. */
  #slotOf(id: string, hash: number): number {
    const mask = this.#slots.length - 1
    for (let at = hash & mask; ; at = (at + 1) & mask) {
      const entry = this.#slots[at]
      if (entry === undefined || (this.#hashes[at] === hash && hasRecordId(entry, id))) return at
    }
  }

  #grow(): void {
    const [slots, hashes] = [this.#slots, this.#hashes]
    this.#slots = emptySlots(slots.length * 2)
    this.#hashes = new Int32Array(slots.length * 2)
    for (let at = 0; at < slots.length; at += 1) {
      const entry = slots[at]
      if (entry !== undefined) this.#place(entry, hashes[at] ?? 0)
    }
  }

  #place(entry: IndexedRecord, hash: number): void {
    const mask = this.#slots.length - 1
    let at = hash & mask
    while (this.#slots[at] !== undefined) at = (at + 1) & mask
    this.#slots[at] = entry
    this.#hashes[at] = hash
  }
}

function emptySlots(count: number): undefined[] {
  return new Array<undefined>(count).fill(undefined)
}
