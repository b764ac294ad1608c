import { journalFile } from '../file/journal.ts'
import { decodeLine, type JournalLine } from '../file/journal-lines.ts'
import { type RawLine, scanLines } from '../file/journal-reader.ts'
import type { SalvageLedger } from './salvage-ledger.ts'

const MAX_NAMED_IDS = 10

/**
 * Applies every intact transaction of the journals to what was read of the snapshot. Each line has its own checksum and
 * number, so a lost transaction shows as a line that cannot be read, as a gap in the numbers, or both.
 */
export class JournalSalvage {
  readonly #database: string
  readonly #ledger: SalvageLedger
  /** The number of the next transaction; null where nothing proves it. */
  #next: number | null
  /** Whether a line since the last intact one cannot be read. */
  #isBroken = false
  #isEnded = false

  constructor(database: string, ledger: SalvageLedger, next: number | null) {
    this.#database = database
    this.#ledger = ledger
    this.#next = next
  }

  /** Reads the journals of these generations, which are consecutive unless some are missing. */
  async read(generations: readonly number[]): Promise<void> {
    let expected = generations[0]
    for (const generation of generations) {
      for (; expected !== undefined && expected < generation; expected += 1) this.#miss(expected)
      expected = generation + 1
      await this.#readFile(journalFile(this.#database, generation), generation)
    }
    if (this.#isEnded && expected !== undefined) this.#miss(expected)
    if (!this.#isBroken) return
    // It may be a write that was cut short and never acknowledged, but nothing proves it.
    this.#ledger.loseTransactions(`${this.#database}: the latest transactions may be lost`)
  }

  #miss(generation: number): void {
    this.#ledger.loseTransactions(`${journalFile(this.#database, generation)}: the file is missing`)
  }

  async #readFile(file: string, generation: number): Promise<void> {
    this.#isEnded = false
    await scanLines(file, (line) => {
      const decoded = decodeLine(line.bytes, generation)
      if (decoded !== null) this.#apply(decoded, `${file}: the transaction at byte ${line.at}`)
      else if (line.isTerminated && line.bytes.length === 0) this.#isEnded = true
      else this.#pass(file, line)
      // More may have been cut off with the newline.
      if (!line.isTerminated) this.#isBroken = true
    })
  }

  #apply({ transaction, writes }: JournalLine, place: string): void {
    const next = this.#next ?? transaction
    if (transaction < next) {
      this.#ledger.lost.push(`${place} repeats an earlier number and was not applied`)
      return
    }
    if (transaction > next) {
      const which = `transactions ${next} to ${transaction - 1}`
      this.#ledger.loseTransactions(`${this.#database}: ${which} are lost`)
    }
    this.#isBroken = false
    this.#next = transaction + 1
    this.#ledger.apply(writes, place)
  }

  #pass(file: string, { bytes, at }: RawLine): void {
    this.#isBroken = true
    this.#ledger.lost.push(`${file}: the transaction at byte ${at} cannot be read${namedIn(bytes)}`)
  }
}

// The damage may be in the ids, so they are a hint and no more.
function namedIn(bytes: Buffer): string {
  const ids = new Set([...bytes.toString('latin1').matchAll(/"id":"(\w{1,64})"/g)].map(([, id]) => id))
  if (ids.size === 0) return ''
  const more = ids.size > MAX_NAMED_IDS ? ' and others' : ''
  return `; it seems to name ${[...ids].slice(0, MAX_NAMED_IDS).join(', ')}${more}`
}
