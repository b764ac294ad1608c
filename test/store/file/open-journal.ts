import { Journal, type JournalPosition } from '../../../src/store/file/journal.ts'
import { nextTurn } from '../fixture.ts'

const START: JournalPosition = { generation: 0, offset: 0, transaction: 0 }

/** Opens the journal of a database (default position: the start of generation 0). */
export function openJournal(
  file: string,
  position: Partial<JournalPosition> = {},
  onBroken: (error: unknown) => void = () => undefined,
): Promise<Journal> {
  return Journal.open(file, { ...START, ...position }, { onBroken, yieldToEventLoop: nextTurn })
}
