import { existsSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { StoredObject } from '../domain/changes.ts'
import { StartupError } from '../domain/startup-error.ts'
import { writePostgresContents } from '../store/database-contents.ts'
import { createPrivateFolder } from '../store/disk/private-file.ts'
import { lockDatabase } from '../store/file/lock.ts'
import { replaceDatabase } from '../store/file/replace-database.ts'
import { readSourceDatabase } from '../store/file/snapshot-reader.ts'
import { writeSnapshot } from '../store/file/snapshot-writer.ts'
import type { Records } from '../store/memory/records.ts'
import { databaseExists } from '../store/open-store.ts'
import { COLLECTION_NAMES, COLLECTIONS, type Collection } from '../store/port/collections.ts'
import { databaseDisplayName, isDatabaseUrl } from '../store/port/database-url.ts'
import type { StoreContents } from '../store/port/store.ts'
import { countRecords, createSnapshotOptions, readDatabase } from './doctor.ts'
import { createIds } from './system/ids.ts'

// API keys and request logs differ from server to server, so comparisons of states ignore them.
const SERVICE_COLLECTIONS = new Set<Collection>(['api_keys', 'request_logs'])

/** The collections in which states count and compare records: those of the API, except keys and logs. */
const API_COLLECTIONS = COLLECTION_NAMES.filter(
  (name) => COLLECTIONS[name].idPrefix !== null && !SERVICE_COLLECTIONS.has(name),
)

/** The result of saving or restoring a state. */
export interface SavedDatabase {
  readonly file: string
  /** Path of the database, or its URL without the password. */
  readonly database: string
  /** Number of API objects. */
  readonly records: number
}

/**
 * Writes a database, which may be in use, to a state file: a database that also contains the name of its origin.
 * Replaces an existing state once the new one is complete.
 */
export async function saveState(database: string, file: string): Promise<SavedDatabase> {
  const { records } = await readDatabase(database)
  const name = databaseDisplayName(database)
  await writeSnapshot(file, records, { ...createSnapshotOptions(), meta: { saved_from: name } })
  return { file, database: name, records: apiObjectsOf(records).size }
}

/** Returns the database that a state was saved from, a URL without its password, or null when the file does not name it. */
export function readStateOrigin(file: string): Promise<string | null> {
  return readSourceDatabase(file)
}

/** The result of copying a database; URLs have no password. */
export interface CopiedDatabase {
  readonly from: string
  readonly to: string
  readonly records: number
}

/** Copies a database, which may be in use, to an empty one; both are a file path or a URL. */
export async function copyState(
  from: string,
  to: string,
  onProgress?: (done: number, total: number) => void,
): Promise<CopiedDatabase> {
  // Reading a file reports no progress, because it is fast and would report bytes instead of records.
  const { records } = await readDatabase(from, isDatabaseUrl(from) ? onProgress : undefined)
  if (isDatabaseUrl(to)) {
    await writePostgresContents(to, records, { isReplaced: false, ...(onProgress ? { onProgress } : {}) })
  } else {
    if (databaseExists(to)) {
      throw new StartupError(
        'target_exists',
        `Cannot copy to ${to}: the file already exists. Name a new file.`,
      )
    }
    await createPrivateFolder(to)
    await writeSnapshot(to, records, createSnapshotOptions())
  }
  return { from: databaseDisplayName(from), to: databaseDisplayName(to), records: countRecords(records) }
}

/** Replaces a database with a saved state; throws a StartupError when the database is in use. */
export async function restoreState(file: string, database: string): Promise<SavedDatabase> {
  const { records: saved } = await readDatabase(file)
  const restored = { file, database: databaseDisplayName(database), records: apiObjectsOf(saved).size }
  if (isDatabaseUrl(database)) {
    await writePostgresContents(database, saved, { isReplaced: true })
    return restored
  }
  const newSuffix = createIds().newToken
  const holder = { pid: process.pid, url: 'paycli state restore' }
  const lock = await lockDatabase(database, { holder, newSuffix }).catch((error: unknown) => {
    throw error instanceof StartupError && error.code === 'database_locked' ? databaseInUse(database) : error
  })
  try {
    const saved_from = await readStateOrigin(file)
    const meta = saved_from === null ? {} : { saved_from }
    await replaceDatabase(database, saved, { ...createSnapshotOptions(), meta })
  } finally {
    await lock.release()
  }
  return restored
}

function databaseInUse(database: string): StartupError {
  return new StartupError(
    'database_locked',
    `Cannot restore ${database}: it is in use by a running server. Stop it with paycli stop (or ^C), restore, and start it again with paycli serve.`,
  )
}

/** An API object that differs between two databases. */
export interface ObjectDifference {
  readonly change: 'added' | 'removed' | 'changed'
  readonly before: StoredObject | null
  readonly now: StoredObject | null
}

/** Returns the API objects that differ between two databases, in the order of the collections. */
export async function diffDatabases(before: string, after: string): Promise<ObjectDifference[]> {
  const old = apiObjectsOf((await readDatabase(before)).records)
  const current = apiObjectsOf((await readDatabase(after)).records)
  const found: ObjectDifference[] = []
  for (const [key, now] of current) {
    const was = old.get(key) ?? null
    if (was === null) found.push({ change: 'added', before: was, now })
    else if (!isDeepStrictEqual(was, now)) found.push({ change: 'changed', before: was, now })
  }
  for (const [key, was] of old)
    if (!current.has(key)) found.push({ change: 'removed', before: was, now: null })
  return found
}

function apiObjectsOf(records: Records): ReadonlyMap<string, StoredObject> {
  const all = API_COLLECTIONS.flatMap((name) =>
    [...records.all(name)].map((one) => [`${name} ${one.id}`, one] as const),
  )
  return new Map(all)
}

/** A saved state in a list. */
export interface SavedState {
  readonly name: string
  /** ISO 8601. */
  readonly saved_at: string
  readonly bytes: number
  /** The database it was saved from; null when the file does not name it. */
  readonly database: string | null
}

/** Lists the states in a folder, the newest first; a missing folder has none. */
export async function listStates(folder: string): Promise<SavedState[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json'))
  const found = await Promise.all(
    names.map(async (name) => {
      const { mtime, size } = await stat(join(folder, name))
      const database = await readSourceDatabase(join(folder, name))
      return { name: name.slice(0, -'.json'.length), saved_at: mtime.toISOString(), bytes: size, database }
    }),
  )
  return found.sort((a, b) => b.saved_at.localeCompare(a.saved_at))
}

const STATE_NAME = /^\w[\w.-]{0,99}$/

/** Reads the contents of a state that was saved in the home folder; null when no saved state has this name. */
export async function loadState(home: string, name: string): Promise<StoreContents | null> {
  const file = join(home, 'states', `${name}.json`)
  if (!STATE_NAME.test(name) || !existsSync(file)) return null
  return (await readDatabase(file)).records.capture()
}
