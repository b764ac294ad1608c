import { readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { requireOwnFileIfExists, syncParentFolder } from '../disk/private-file.ts'
import { rejectForeignDatabaseFile } from './database-format.ts'
import { listJournalGenerations } from './journal-files.ts'
import type { SnapshotSource } from './snapshot-source.ts'
import { type WriteSnapshotOptions, writeSnapshot } from './snapshot-writer.ts'

/**
 * Replaces the contents of a database and its journals atomically; throws for a file that is not a paycli database. The
 * caller must hold the lock.
 */
export async function replaceDatabase(
  database: string,
  records: SnapshotSource,
  { meta, ...options }: WriteSnapshotOptions,
): Promise<void> {
  await rejectForeignDatabaseFile(database)
  const old = listJournalGenerations(await readdir(dirname(database)), database)
  // With a higher generation, recovery ignores the old journals even if a crash prevents their removal.
  const generation = Math.max(0, ...old) + 1
  await writeSnapshot(database, records, { ...options, meta: { ...meta, generation } })
  await removeJournals(database)
}

/** Deletes a database, damaged or not; throws for a file that is not a paycli database. The caller must hold the lock. */
export async function eraseDatabase(database: string): Promise<void> {
  await requireOwnFileIfExists(database)
  await rejectForeignDatabaseFile(database)
  await rm(database, { force: true })
  await removeJournals(database)
  await syncParentFolder(database)
}

async function removeJournals(database: string): Promise<void> {
  const prefix = `${basename(database)}.journal-`
  const names = await readdir(dirname(database))
  await Promise.all(
    names.filter((name) => name.startsWith(prefix)).map((name) => rm(join(dirname(database), name))),
  )
}
