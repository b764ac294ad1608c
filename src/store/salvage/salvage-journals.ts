import { getJournalPath } from '../file/journal.ts'
import { decodeLine, type JournalEntry } from '../file/journal-lines.ts'
import { type FileLine, visitFileLines } from '../file/journal-reader.ts'
import type { SalvageCollector } from './salvage-collector.ts'

const MAX_NAMED_IDS = 10

interface SalvageJournalsOptions {
  /** The sorted generations of the journals. */
  readonly generations: readonly number[]
  /** The number of the first transaction, or null for an unknown number. */
  readonly firstTransaction: number | null
}

/**
 * Applies every intact transaction of the journals to the salvaged snapshot, and reports missing journals. A lost
 * transaction appears as a line that does not match its checksum, as a gap in the transaction numbers, or both.
 */
export async function salvageJournals(
  database: string,
  collector: SalvageCollector,
  { generations, firstTransaction }: SalvageJournalsOptions,
): Promise<void> {
  let next = firstTransaction
  /** Whether a line after the last intact line cannot be read. */
  let isBroken = false
  let isEnded = false
  let expected = generations[0]

  function apply({ transaction, writes }: JournalEntry, place: string): void {
    const first = next ?? transaction
    if (transaction < first) {
      collector.lost.push(`${place} repeats an earlier number and was not applied`)
      return
    }
    if (transaction > first)
      collector.reportLostTransactions(`${database}: transactions ${first} to ${transaction - 1} are lost`)
    isBroken = false
    next = transaction + 1
    collector.apply(writes, place)
  }

  function reportUnreadable(file: string, { bytes, offset }: FileLine): void {
    isBroken = true
    collector.lost.push(`${file}: the transaction at byte ${offset} cannot be read${describeIds(bytes)}`)
  }

  for (const generation of generations) {
    for (; expected !== undefined && expected < generation; expected += 1)
      collector.reportMissingJournal(database, expected)
    expected = generation + 1
    isEnded = false
    const file = getJournalPath(database, generation)
    await visitFileLines(file, (line) => {
      const decoded = decodeLine(line.bytes, generation)
      if (decoded !== null) apply(decoded, `${file}: the transaction at byte ${line.offset}`)
      else if (line.isTerminated && line.bytes.length === 0) isEnded = true
      else reportUnreadable(file, line)
      // Lines after an unterminated line may be missing too.
      if (!line.isTerminated) isBroken = true
    })
  }
  if (isEnded && expected !== undefined) collector.reportMissingJournal(database, expected)
  // The line may be an incomplete write that was never acknowledged, but this cannot be proved.
  if (isBroken) collector.reportLostTransactions(`${database}: the latest transactions may be lost`)
}

// The ids may be damaged too, so they are only a hint.
function describeIds(bytes: Buffer): string {
  const ids = new Set([...bytes.toString('latin1').matchAll(/"id":"(\w{1,64})"/g)].map(([, id]) => id))
  if (ids.size === 0) return ''
  const more = ids.size > MAX_NAMED_IDS ? ' and others' : ''
  return `; it seems to contain ${[...ids].slice(0, MAX_NAMED_IDS).join(', ')}${more}`
}
