import { copyFile, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { syncFolder } from './private-file.ts'

/** Puts a copy of a file in the place of a database and of its journals; the caller holds the lock. */
export async function replaceDatabase(database: string, file: string, suffix: string): Promise<void> {
  const copy = `${database}.${suffix}.tmp`
  await copyFile(file, copy)
  const prefix = `${basename(database)}.journal-`
  const names = await readdir(dirname(database))
  // First the journals: what they hold belongs to the file that goes, and would be replayed on the one that comes.
  await Promise.all(
    names.filter((name) => name.startsWith(prefix)).map((name) => rm(join(dirname(database), name))),
  )
  await rename(copy, database)
  await syncFolder(database)
}
