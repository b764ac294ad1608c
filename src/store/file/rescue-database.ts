import { dirname } from 'node:path'
import { DomainError } from '../../domain/core/domain-error.ts'
import { StartupError } from '../../domain/core/startup-error.ts'
import type { CheckpointerOptions } from './checkpointer.ts'
import type { FileLoss } from './file-loss-detector.ts'
import { writeSnapshot } from './snapshot-writer.ts'

type RescueOptions = Pick<
  CheckpointerOptions,
  'newSuffix' | 'scheduling' | 'database' | 'records' | 'journal'
>

/** Creates the API error of every write after the files of the database were lost. */
export function createFilesLostError(): DomainError {
  return new DomainError(
    'unavailable',
    'The files of the database were deleted, moved or replaced while the server was running, so nothing can be stored. Reads still work. The log of the server explains how to continue.',
  )
}

/** Returns the log message that reports lost files of a database and the next step. */
export function formatLossMessage(database: string, losses: readonly FileLoss[]): string {
  const changes = losses.map(({ file, description }) => `${file} ${description}`).join(', ')
  return `${changes} while the server was running. The server rejects every change from now on; reads still work. To keep all data, stop the server: it then saves its data ${describeDestination(database, losses)}.`
}

function describeDestination(database: string, losses: readonly FileLoss[]): string {
  if (isReplaced(losses)) return `next to the new file, in ${rescuePath(database, '…')}`
  return `in ${database}. If the folder ${dirname(database)} does not exist, create it first`
}

const isReplaced = (losses: readonly FileLoss[]) => losses.some((loss) => loss.isReplaced)

const rescuePath = (database: string, suffix: string) => `${database}.rescued-${suffix}`

/**
 * Saves the data of a store whose files were lost to the path of the database. If the path holds another file, saves
 * the data next to this file. Returns a log message with the path. The caller must have stopped all writes.
 */
export async function rescueDatabase(
  { database, newSuffix, scheduling, records, journal }: RescueOptions,
  losses: readonly FileLoss[],
): Promise<string> {
  const target = isReplaced(losses) ? rescuePath(database, newSuffix()) : database
  const { generation, transaction } = journal.position
  try {
    const meta = { transaction, generation: generation + 1 }
    await writeSnapshot(target, records, { newSuffix, scheduling, meta })
  } catch (error) {
    throw new StartupError(
      'database_not_saved',
      `Cannot write ${target}: ${String(error)}. Changes that were only in memory are lost.`,
    )
  }
  const next = target === database ? 'The next start uses it' : `Start with --db ${target} to use it`
  return `All data of the server was saved in ${target}. ${next}.`
}
