import { dirname } from 'node:path'
import { DomainError } from '../../domain/domain-error.ts'
import { StartupProblem } from '../../domain/startup-problem.ts'
import type { Records } from '../memory/records.ts'
import type { FileLoss } from './file-watch.ts'
import type { Journal } from './journal.ts'
import type { Clockwork } from './snapshot-writer.ts'
import { writeWholeSnapshot } from './whole-snapshot.ts'

interface Rescue {
  readonly database: string
  readonly newSuffix: () => string
  readonly clockwork: Clockwork
  readonly records: Records
  readonly journal: Journal
}

/** The API error for every write after the files of the database were lost. */
export function filesLost(): DomainError {
  return new DomainError(
    'unavailable',
    'The files of the database were deleted, moved or replaced while the service was running, so nothing is stored any more. Reading still works; the log of the service says how to continue.',
  )
}

/** The log line that reports lost files of a database and how to continue. */
export function describeLosses(database: string, losses: readonly FileLoss[]): string {
  const what = losses.map(({ file, what }) => `${file} ${what}`).join(', ')
  return `${what} while the service was running. The service refuses every change from now on; reading still works. To keep all data, stop the service: it then saves what it holds ${destination(database, losses)}.`
}

function destination(database: string, losses: readonly FileLoss[]): string {
  if (isReplaced(losses)) return `beside the file that is there now, in ${rescueFile(database, '…')}`
  return `in ${database}. If the folder ${dirname(database)} is gone, create it first`
}

const isReplaced = (losses: readonly FileLoss[]) => losses.some((loss) => loss.isReplaced)

const rescueFile = (database: string, suffix: string) => `${database}.rescued-${suffix}`

/**
 * Saves what a store holds whose files were lost, to the database, or beside it where another file lies; resolves with
 * a note that says where. The caller has stopped all writes.
 */
export async function rescue(
  { database, newSuffix, clockwork, records, journal }: Rescue,
  losses: readonly FileLoss[],
): Promise<string> {
  const target = isReplaced(losses) ? rescueFile(database, newSuffix()) : database
  const { generation, durableTransaction: transaction } = journal
  try {
    await writeWholeSnapshot(target, records, {
      ...{ newSuffix, clockwork, transaction },
      generation: generation + 1,
    })
  } catch (error) {
    throw new StartupProblem(
      'database_not_saved',
      `${target} could not be written (${String(error)}), so the changes that only the service held are lost.`,
    )
  }
  const next =
    target === database ? 'The next start continues with it' : `Start with --db ${target} to use it`
  return `Everything the service held was saved in ${target}. ${next}.`
}
