import { existsSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { StoredObject } from '../domain/core/changes.ts'
import { StartupError } from '../domain/core/startup-error.ts'
import { SANDBOX_SECRETS_ID } from '../domain/sandboxes/sandbox-secrets.ts'
import { DEFAULT_SANDBOX, SAVED_STATE_NAME_PATTERN } from '../domain/sandboxes/sandboxes.ts'
import { isolateCopiedWebhooks, PORTABLE_COLLECTIONS } from '../engine/sandbox-copies.ts'
import { DatabaseDamagedError } from '../store/disk/database-errors.ts'
import { removeLeftoverTemporaries } from '../store/disk/temporary-files.ts'
import { lockDatabase } from '../store/file/lock.ts'
import { replaceDatabase } from '../store/file/replace-database.ts'
import { getSandboxFile } from '../store/file/sandbox-files.ts'
import { readSnapshotOrigin } from '../store/file/snapshot-reader.ts'
import { writeSnapshot } from '../store/file/snapshot-writer.ts'
import { indexContents } from '../store/memory/index-contents.ts'
import type { MemoryRecords } from '../store/memory/memory-records.ts'
import { formatDatabaseName, isDatabaseUrl } from '../store/port/database-url.ts'
import type { StoreContents } from '../store/port/store.ts'
import { salvageDatabase } from '../store/salvage/salvage-database.ts'
import { loadSandboxContents, writePostgresContents } from '../store/sandbox-contents.ts'
import { createSnapshotOptions } from './doctor.ts'
import { getDaemonRecordsFolder } from './locator.ts'
import { createIdGenerators } from './system/ids.ts'

const KEY_COLLECTIONS = ['api_keys', 'api_key_digests'] as const

/** The result of saving or restoring a state. */
export interface StateTransferResult {
  readonly file: string
  /** Path of the database, or its URL without the password. */
  readonly database: string
  /** Number of API objects. */
  readonly records: number
}

/**
 * Writes a sandbox of a database, which may be in use, to a state file. The file is a database that also contains the
 * origin of the state. Replaces an existing state once the new state is complete.
 */
export async function saveState(
  database: string,
  file: string,
  sandbox = DEFAULT_SANDBOX,
): Promise<StateTransferResult> {
  await removeLeftoverTemporaries(dirname(file))
  const { records } = await loadSandboxContents(database, { sandbox })
  removeAll(records, serverRecordsOf(records))
  const name = formatDatabaseName(database)
  const sandboxMeta = sandbox === DEFAULT_SANDBOX ? {} : { saved_from_sandbox: sandbox }
  await writeSnapshot(file, records, {
    ...createSnapshotOptions(),
    meta: { saved_from: name, ...sandboxMeta },
  })
  return { file, database: name, records: apiObjectsOf(records).size }
}

/** The database and the sandbox that a state was saved from. */
export interface StateOrigin {
  /** The file of the database, or its URL without the password; null if the state does not name the database. */
  readonly database: string | null
  /** The id of the sandbox. */
  readonly sandbox: string
}

/** Resolves with the database and the sandbox that a state was saved from. */
export async function readStateOrigin(file: string): Promise<StateOrigin> {
  const { saved_from = null, saved_from_sandbox = DEFAULT_SANDBOX } = await readSnapshotOrigin(file)
  return { database: saved_from, sandbox: saved_from_sandbox }
}

/** Replaces a sandbox of a database with a saved state; throws a StartupError when the database is in use. */
export async function restoreState(
  file: string,
  database: string,
  sandbox = DEFAULT_SANDBOX,
): Promise<StateTransferResult> {
  const { records } = await loadSandboxContents(file)
  // API keys in the state of another sandbox contain the id of that sandbox, so they are not valid in this sandbox.
  const origin = await readStateOrigin(file)
  const areKeysKept = sandbox !== DEFAULT_SANDBOX || origin.sandbox !== DEFAULT_SANDBOX
  const saved = origin.sandbox === sandbox ? records : await isolateCopy(records)
  const restored = { file, database: formatDatabaseName(database), records: apiObjectsOf(saved).size }
  if (isDatabaseUrl(database)) {
    keepOwnRecords(saved, await readCurrent(database, sandbox), areKeysKept)
    await writePostgresContents(database, saved, { isReplaced: true, sandbox })
    return restored
  }
  const newSuffix = createIdGenerators().newToken
  const holder = { pid: process.pid, url: 'paycli state restore' }
  const lock = await lockDatabase(database, { holder, newSuffix }).catch((error: unknown) => {
    throw error instanceof StartupError && error.code === 'database_locked' ? databaseInUse(database) : error
  })
  try {
    keepOwnRecords(saved, await readCurrent(database, sandbox), areKeysKept)
    const meta = await readSnapshotOrigin(file)
    await replaceDatabase(getSandboxFile(database, sandbox), saved, { ...createSnapshotOptions(), meta })
  } finally {
    await lock.release()
  }
  return restored
}

// Restores the state of another sandbox as a copy, like POST /v1/sandboxes.
function isolateCopy(records: MemoryRecords): Promise<MemoryRecords> {
  const isolated = isolateCopiedWebhooks(records.capture(), createIdGenerators().newWebhookSecret)
  return indexContents(isolated, createSnapshotOptions().scheduling)
}

/** Reads the records that a state replaces, as far as they are readable; null when the default sandbox is new. */
async function readCurrent(database: string, sandbox: string): Promise<MemoryRecords | null> {
  try {
    return (await loadSandboxContents(database, { sandbox })).records
  } catch (error) {
    const isNew = error instanceof StartupError && error.code === 'database_missing'
    if (isNew && sandbox === DEFAULT_SANDBOX) return null
    // A state also replaces a damaged database.
    if (error instanceof DatabaseDamagedError)
      return (await salvageDatabase(getSandboxFile(database, sandbox))).records
    throw error
  }
}

// Keeps the current records of sandboxes and dashboard sessions, because they describe the server, not the state. When
// `areKeysKept` is true, the function also keeps the current API keys, which contain the id of their sandbox.
function keepOwnRecords(saved: MemoryRecords, current: MemoryRecords | null, areKeysKept: boolean): void {
  removeAll(saved, serverRecordsOf(saved))
  for (const record of current === null ? [] : serverRecordsOf(current)) saved.put(record)
  if (!areKeysKept) return
  for (const name of KEY_COLLECTIONS) {
    removeAll(saved, saved.all(name))
    for (const record of current?.all(name) ?? []) saved.put(record)
  }
  if (current === null) return
  const own = current.get('sandbox_secrets', SANDBOX_SECRETS_ID)
  if (own === null) return
  const other = saved.get('sandbox_secrets', SANDBOX_SECRETS_ID)
  // The fingerprints of the saved cards depend on the salt, so the salt comes from the state.
  const secrets = { ...own, fingerprint_salt: (other ?? own).fingerprint_salt }
  saved.put(secrets)
}

function serverRecordsOf(records: MemoryRecords): StoredObject[] {
  // Restoring a state must not sign in a browser that has signed out.
  return [...records.all('sandboxes'), ...records.all('dashboard_sessions')]
}

function removeAll(records: MemoryRecords, removed: Iterable<StoredObject>): void {
  records.apply(
    Array.from(removed, (record) => ({ remove: record })),
    0,
  )
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

/** Returns the API objects that differ between a database and a sandbox of another database, by collection. */
export async function diffDatabases(
  before: string,
  after: string,
  sandbox = DEFAULT_SANDBOX,
): Promise<ObjectDifference[]> {
  const old = apiObjectsOf((await loadSandboxContents(before)).records)
  const current = apiObjectsOf((await loadSandboxContents(after, { sandbox })).records)
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

function apiObjectsOf(records: MemoryRecords): ReadonlyMap<string, StoredObject> {
  const all = PORTABLE_COLLECTIONS.flatMap((name) =>
    [...records.all(name)].map((one) => [`${name} ${one.id}`, one] as const),
  )
  return new Map(all)
}

/** A saved state in a list. */
export interface SavedState extends StateOrigin {
  readonly name: string
  /** The time of the save in ISO 8601. */
  readonly saved_at: string
  readonly bytes: number
}

/** Lists the states in a folder, the newest first; returns an empty list for a missing folder. */
export async function listStates(folder: string): Promise<SavedState[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json'))
  const found = await Promise.all(
    names.map(async (name) => {
      const { mtime, size } = await stat(join(folder, name))
      const origin = await readStateOrigin(join(folder, name))
      return { name: name.slice(0, -'.json'.length), saved_at: mtime.toISOString(), bytes: size, ...origin }
    }),
  )
  return found.sort((a, b) => b.saved_at.localeCompare(a.saved_at))
}

/** Deletes the temporary files that killed processes left in the home folder, such as those of `paycli state save`. */
export async function removeHomeTemporaries(home: string): Promise<void> {
  for (const folder of [home, getDaemonRecordsFolder(home), statesFolder(home)])
    await removeLeftoverTemporaries(folder)
}

const statesFolder = (home: string) => join(home, 'states')

/** Reads the contents of a state that was saved in the home folder; null when no saved state has this name. */
export async function loadState(home: string, name: string): Promise<StoreContents | null> {
  const file = join(statesFolder(home), `${name}.json`)
  if (!SAVED_STATE_NAME_PATTERN.test(name) || !existsSync(file)) return null
  return (await loadSandboxContents(file)).records.capture()
}
