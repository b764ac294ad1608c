import { readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { refusePlanted, syncFolder } from '../disk/private-file.ts'
import type { Records } from '../memory/records.ts'
import { refuseForeign } from './database-kind.ts'
import { generationsIn } from './journal-files.ts'
import { type WholeSnapshotOptions, writeWholeSnapshot } from './whole-snapshot.ts'

/**
 * Puts records in the place of all that a database and its journals hold, in one step; throws for a file that is no
 * database. The caller holds the lock.
 */
export async function replaceDatabase(
  database: string,
  records: Records,
  options: Omit<WholeSnapshotOptions, 'generation'>,
): Promise<void> {
  await refuseForeign(database)
  const old = generationsIn(await readdir(dirname(database)), database)
  // Older journals are not replayed on it, also where a crash leaves them there.
  await writeWholeSnapshot(database, records, { ...options, generation: Math.max(0, ...old) + 1 })
  await removeJournals(database)
}

/** Forgets all that a database holds, damaged or not; refuses a file that is none. The caller holds the lock. */
export async function forgetDatabase(database: string): Promise<void> {
  await refusePlanted(database)
  await refuseForeign(database)
  await rm(database, { force: true })
  await removeJournals(database)
  await syncFolder(database)
}

async function removeJournals(database: string): Promise<void> {
  const prefix = `${basename(database)}.journal-`
  const names = await readdir(dirname(database))
  await Promise.all(
    names.filter((name) => name.startsWith(prefix)).map((name) => rm(join(dirname(database), name))),
  )
}
