import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Stored } from '../domain/changes.ts'
import { StartupProblem } from '../domain/startup-problem.ts'
import { loadContents, writeContents } from '../store/contents.ts'
import { makePrivateFolder } from '../store/disk/private-file.ts'
import { lockDatabase } from '../store/file/lock.ts'
import { replaceDatabase } from '../store/file/replacement.ts'
import { readSavedFrom } from '../store/file/snapshot-reader.ts'
import { writeWholeSnapshot } from '../store/file/whole-snapshot.ts'
import type { Records } from '../store/memory/records.ts'
import { hasDatabase } from '../store/open.ts'
import { COLLECTION_NAMES } from '../store/port/collections.ts'
import { isDatabaseUrl, nameOfDatabase } from '../store/port/database-url.ts'
import { requireDatabase } from './doctor.ts'
import { createIds } from './ids.ts'
import { nextTurn } from './ticker.ts'

const MAX_TRIES = 3
/** What the API shows; the rest is only how it is kept. */
const SHOWN = COLLECTION_NAMES.slice(0, COLLECTION_NAMES.indexOf('webhook_deliveries') + 1)

/** How many records a snapshot has, and the database it is of, a URL named without its password. */
export interface Saved {
  readonly file: string
  readonly database: string
  readonly records: number
}

/**
 * Writes all that a database holds, which may be in use, to a file that is a database itself and says of which one it
 * is; a state that is there already is replaced once all is written.
 */
export async function saveState(database: string, file: string): Promise<Saved> {
  const records = await load(database)
  const name = nameOfDatabase(database)
  await writeFileDatabase(file, records, name)
  return { file, database: name, records: recordsIn(records).size }
}

function writeFileDatabase(file: string, records: Records, savedFrom?: string): Promise<void> {
  return writeWholeSnapshot(file, records, snapshotOptions(savedFrom ?? null))
}

function snapshotOptions(savedFrom: string | null) {
  const clockwork = { pause: nextTurn, monotonicMs: () => performance.now() }
  return { newSuffix: createIds().newToken, clockwork, ...(savedFrom === null ? {} : { savedFrom }) }
}

/** The database that a state was saved from, a URL without its password; null when no note of that was kept. */
export function originOf(file: string): Promise<string | null> {
  return readSavedFrom(file)
}

/** What was copied from one database to another, named without their passwords. */
export interface Copied {
  readonly from: string
  readonly to: string
  readonly records: number
}

/** Copies all that a database holds, which may be in use, to an empty one; each is a file or at a URL. */
export async function copyState(
  from: string,
  to: string,
  onProgress?: (done: number, total: number) => void,
): Promise<Copied> {
  // A file tells of its bytes, and is read in no time beside the rest.
  const records = await load(from, isDatabaseUrl(from) ? onProgress : undefined)
  if (isDatabaseUrl(to)) {
    await writeContents(to, records, { isReplaced: false, ...(onProgress ? { onProgress } : {}) })
  } else {
    if (hasDatabase(to)) {
      throw new StartupProblem(
        'target_exists',
        `${to} exists already, and nothing was copied. Name a new file.`,
      )
    }
    await makePrivateFolder(to)
    await writeFileDatabase(to, records)
  }
  const total = COLLECTION_NAMES.reduce((sum, name) => sum + records.count(name), 0)
  return { from: nameOfDatabase(from), to: nameOfDatabase(to), records: total }
}

/** Puts what was saved in the place of a database; refuses one that is in use. */
export async function restoreState(file: string, database: string): Promise<Saved> {
  const saved = await load(file)
  const restored = { file, database: nameOfDatabase(database), records: recordsIn(saved).size }
  if (isDatabaseUrl(database)) {
    await writeContents(database, saved, { isReplaced: true })
    return restored
  }
  const newSuffix = createIds().newToken
  const holder = { pid: process.pid, url: 'paycli state restore' }
  const lock = await lockDatabase(database, { holder, newSuffix }).catch((error: unknown) => {
    throw error instanceof StartupProblem && error.code === 'database_locked' ? inUse(database) : error
  })
  try {
    await replaceDatabase(database, saved, snapshotOptions(await originOf(file)))
  } finally {
    await lock.release()
  }
  return restored
}

function inUse(database: string): StartupProblem {
  return new StartupProblem(
    'database_locked',
    `${database} is in use, and nothing was restored: a running service would not see it. Stop it with paycli stop (or ^C), restore, and start it again with paycli serve.`,
  )
}

/** One object that is not the same in two databases; null where it is not there. */
export interface Difference {
  readonly change: 'added' | 'removed' | 'changed'
  readonly before: Stored | null
  readonly now: Stored | null
}

/** Which objects of the API have become different from one database to another, in the order of the collections. */
export async function differences(before: string, after: string): Promise<Difference[]> {
  const [old, current] = [recordsIn(await load(before)), recordsIn(await load(after))]
  const found: Difference[] = []
  for (const [key, now] of current) {
    const was = old.get(key) ?? null
    if (was === null) found.push({ change: 'added', before: was, now })
    else if (!isDeepStrictEqual(was, now)) found.push({ change: 'changed', before: was, now })
  }
  for (const [key, was] of old)
    if (!current.has(key)) found.push({ change: 'removed', before: was, now: null })
  return found
}

function recordsIn(records: Records): ReadonlyMap<string, Stored> {
  const all = SHOWN.flatMap((name) =>
    [...records.all(name)].map((one) => [`${name} ${one.id}`, one] as const),
  )
  return new Map(all)
}

// A daemon that is compacting exchanges files while they are read.
async function load(database: string, onProgress?: (done: number, total: number) => void): Promise<Records> {
  if (!isDatabaseUrl(database)) await requireDatabase(database)
  for (let tries = 1; ; tries += 1) {
    try {
      return (await loadContents(database, onProgress)).records
    } catch (error) {
      if (tries === MAX_TRIES || isDatabaseUrl(database)) throw error
    }
  }
}

/** Whether a state was saved in this file. */
export async function hasState(file: string): Promise<boolean> {
  return (await stat(file).catch(() => null)) !== null
}

/** A state that was saved; when is in ISO 8601. */
export interface SavedState {
  readonly name: string
  readonly saved_at: string
  readonly bytes: number
  /** The name of the database it was saved from; null where that was not noted. */
  readonly database: string | null
}

/** The states in a folder, the newest first; none without the folder. */
export async function listStates(folder: string): Promise<SavedState[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json'))
  const found = await Promise.all(
    names.map(async (name) => {
      const { mtime, size } = await stat(join(folder, name))
      const database = await readSavedFrom(join(folder, name))
      return { name: name.slice(0, -'.json'.length), saved_at: mtime.toISOString(), bytes: size, database }
    }),
  )
  return found.sort((a, b) => b.saved_at.localeCompare(a.saved_at))
}
