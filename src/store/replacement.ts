import { open, readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { StartupProblem } from '../domain/startup-problem.ts'
import { refusePlanted, syncFolder } from './private-file.ts'
import type { Records } from './records.ts'
import { generationsIn } from './recovery.ts'
import { type WholeSnapshotOptions, writeWholeSnapshot } from './whole-snapshot.ts'

/** How every snapshot begins. */
const BEGINNING = Buffer.from('{"meta":{"format":')

/** Puts records in the place of all that a database and its journals hold, in one step; the caller holds the lock. */
export async function replaceDatabase(
  database: string,
  records: Records,
  options: Omit<WholeSnapshotOptions, 'generation'>,
): Promise<void> {
  const old = generationsIn(await readdir(dirname(database)), database)
  // Older journals are not replayed on it, also where a crash leaves them there.
  await writeWholeSnapshot(database, records, { ...options, generation: Math.max(0, ...old) + 1 })
  await removeJournals(database)
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
