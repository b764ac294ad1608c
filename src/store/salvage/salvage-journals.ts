import { getJournalPath } from '../file/journal.ts'
import { decodeLine, type JournalEntry } from '../file/journal-lines.ts'
import { type FileLine, visitFileLines } from '../file/journal-reader.ts'
import type { SalvageCollector } from './salvage-collector.ts'

const MAX_NAMED_IDS = 10

/**
 * Applies every intact transaction of the journals to the salvaged snapshot. A lost transaction appears as a line that
 * does not match its checksum, as a gap in the transaction numbers, or both.
 */
export class JournalSalvager {
  readonly #database: string
  readonly #collector: SalvageCollector
  /** The number of the next transaction, or null for an unknown number. */
  #next: number | null
  /** Whether a line after the last intact line cannot be read. */
  #isBroken = false
  #isEnded = false

  constructor(database: string, collector: SalvageCollector, next: number | null) {
    this.#database = database
    this.#collector = collector
    this.#next = next
  }

  /** Reads the journals of sorted generations and reports missing journals. */
  async read(generations: readonly number[]): Promise<void> {
    let expected = generations[0]
    for (const generation of generations) {
      for (; expected !== undefined && expected < generation; expected += 1) this.#reportMissing(expected)
      expected = generation + 1
      await this.#readFile(getJournalPath(this.#database, generation), generation)
    }
    if (this.#isEnded && expected !== undefined) this.#reportMissing(expected)
    if (!this.#isBroken) return
    // The line may be an incomplete write that was never acknowledged, but this cannot be proved.
    this.#collector.reportLostTransactions(`${this.#database}: the latest transactions may be lost`)
  }

  #reportMissing(generation: number): void {
    this.#collector.reportLostTransactions(
      `${getJournalPath(this.#database, generation)}: the file is missing`,
    )
  }

  async #readFile(file: string, generation: number): Promise<void> {
    this.#isEnded = false
    await visitFileLines(file, (line) => {
      const decoded = decodeLine(line.bytes, generation)
      if (decoded !== null) this.#apply(decoded, `${file}: the transaction at byte ${line.offset}`)
      else if (line.isTerminated && line.bytes.length === 0) this.#isEnded = true
      else this.#reportUnreadable(file, line)
      // Lines after an unterminated line may be missing too.
      if (!line.isTerminated) this.#isBroken = true
    })
  }

  #apply({ transaction, writes }: JournalEntry, place: string): void {
    const next = this.#next ?? transaction
    if (transaction < next) {
      this.#collector.lost.push(`${place} repeats an earlier number and was not applied`)
      return
    }
    if (transaction > next) {
      const which = `transactions ${next} to ${transaction - 1}`
      this.#collector.reportLostTransactions(`${this.#database}: ${which} are lost`)
    }
    this.#isBroken = false
    this.#next = transaction + 1
    this.#collector.apply(writes, place)
  }

  #reportUnreadable(file: string, { bytes, offset }: FileLine): void {
    this.#isBroken = true
    this.#collector.lost.push(
      `${file}: the transaction at byte ${offset} cannot be read${describeIds(bytes)}`,
    )
  }
}

// The ids may be damaged too, so they are only a hint.
function describeIds(bytes: Buffer): string {
  const ids = new Set([...bytes.toString('latin1').matchAll(/"id":"(\w{1,64})"/g)].map(([, id]) => id))
  if (ids.size === 0) return ''
  const more = ids.size > MAX_NAMED_IDS ? ' and others' : ''
  return `; it seems to contain ${[...ids].slice(0, MAX_NAMED_IDS).join(', ')}${more}`
}
