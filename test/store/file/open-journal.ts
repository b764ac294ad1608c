import { Journal, type JournalPosition } from '../../../src/store/file/journal.ts'
import { waitForNextTurn } from '../fixture.ts'

const START: JournalPosition = { generation: 0, offset: 0, transaction: 0 }

const opened: Journal[] = []

/** Closes all journals that are open, after a test. */
export async function closeJournals(): Promise<void> {
  await Promise.allSettled(opened.splice(0).map((journal) => journal.close()))
}

/** Opens the journal of a database (default position: the start of generation 0). */
export async function openJournal(
  file: string,
  position: Partial<JournalPosition> = {},
  onBroken: (error: unknown) => void = () => undefined,
): Promise<Journal> {
  const options = { onBroken, yieldToEventLoop: waitForNextTurn }
  const journal = await Journal.open(file, { ...START, ...position }, options)
  opened.push(journal)
  return journal
}
