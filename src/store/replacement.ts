import { copyFile, open, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { StartupProblem } from '../domain/startup-problem.ts'
import { refusePlanted, syncFolder } from './private-file.ts'

/** How every snapshot begins. */
const BEGINNING = Buffer.from('{"meta":{"format":')

/** Puts a copy of a file in the place of a database and of its journals; the caller holds the lock. */
export async function replaceDatabase(database: string, file: string, suffix: string): Promise<void> {
  const copy = `${database}.${suffix}.tmp`
  await copyFile(file, copy)
  // First the journals: what they hold belongs to the file that goes, and would be replayed on the one that comes.
  await removeJournals(database)
  await rename(copy, database)
  await syncFolder(database)
}

/** Forgets all that a database holds, damaged or not; refuses a file that is none. The caller holds the lock. */
export async function forgetDatabase(database: string): Promise<void> {
  await refusePlanted(database)
  if ((await beginningOf(database))?.equals(BEGINNING) === false) {
    throw new StartupProblem(
      'database_foreign',
      `${database} is no paycli database, so --reset leaves it alone. Name another file with --db, or remove it yourself.`,
    )
  }
  await rm(database, { force: true })
  await removeJournals(database)
  await syncFolder(database)
}

async function beginningOf(file: string): Promise<Buffer | null> {
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (handle === null) return null
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(BEGINNING.length), 0, BEGINNING.length, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

async function removeJournals(database: string): Promise<void> {
  const prefix = `${basename(database)}.journal-`
  const names = await readdir(dirname(database))
  await Promise.all(
    names.filter((name) => name.startsWith(prefix)).map((name) => rm(join(dirname(database), name))),
  )
}
