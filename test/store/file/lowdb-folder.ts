import { copyFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type LowdbDatabaseOptions, openLowdbDatabase } from '../../../src/store/file/lowdb-database.ts'
import type { Database } from '../../../src/store/port/database.ts'
import type { Store } from '../../../src/store/port/store.ts'
import { type OpenedStore, waitForNextTurn } from '../fixture.ts'

/** A folder for one database; it does not exist yet. */
export interface DatabaseFolder {
  readonly folder: string
  readonly file: string
  /** Log messages of the store. */
  readonly notes: string[]
  /** Errors passed to `onBroken`. */
  readonly broken: unknown[]
  /** Messages passed to `onFilesLost`. */
  readonly lost: string[]
  /** Makes the last opened store check its files, as it does every second. */
  checkFiles: () => Promise<void>
  /** Opens the database; the folder's `dispose` closes it. */
  readonly open: (options?: Pick<LowdbDatabaseOptions, 'minJournalBytes' | 'isReset'>) => Promise<Store>
  /** Opens the database with its sandboxes, as `open` does. */
  readonly openDatabase: (options?: Pick<LowdbDatabaseOptions, 'isReset'>) => Promise<Database>
  readonly dispose: () => Promise<void>
}

/** All folders share this counter, because a copy contains the files of another folder. */
let suffixes = 0

/** Returns a new database folder below the system's temporary folder. */
export async function createDatabaseFolder(): Promise<DatabaseFolder> {
  const root = await mkdtemp(join(tmpdir(), 'paycli-store-'))
  const folder = join(root, 'nested', 'data')
  const opened: Database[] = []
  const newSuffix = () => {
    suffixes += 1
    return `suffix-${suffixes}`
  }
  const self: DatabaseFolder = {
    folder,
    file: join(folder, 'paycli.json'),
    notes: [],
    broken: [],
    lost: [],
    checkFiles: async () => {},
    async open(options = {}) {
      return (await self.openDatabase(options)).defaultStore
    },
    async openDatabase(options = {}) {
      const database = await openLowdbDatabase({
        ...options,
        file: self.file,
        newSuffix,
        scheduling: { yieldToEventLoop: waitForNextTurn, monotonicMs: () => performance.now() },
        holder: { pid: process.pid, url: 'http://127.0.0.1:4010' },
        onNote: (note) => self.notes.push(note),
        poll: (check) => {
          self.checkFiles = check
          return { stop: async () => {} }
        },
        onFilesLost: (message) => self.lost.push(message),
        onBroken: (error) => self.broken.push(error),
      })
      opened.push(database)
      return database
    },
    async dispose() {
      await Promise.allSettled(opened.map((database) => database.close()))
      await rm(root, { recursive: true, force: true })
    },
  }
  return self
}

/** Copies a database folder, as a crash would leave it; the copy can be opened. */
export async function copyFolder({ folder }: DatabaseFolder): Promise<DatabaseFolder> {
  const copy = await createDatabaseFolder()
  mkdirSync(copy.folder, { recursive: true })
  // During synchronous copies, the store can complete at most one disk operation.
  for (const name of readdirSync(folder)) {
    try {
      copyFileSync(join(folder, name), join(copy.folder, name))
    } catch (error) {
      if (existsSync(join(folder, name))) throw error
    }
  }
  return copy
}

/** Opens a new lowdb store for the contract tests; `reopen` opens a copy as after a crash. */
export async function openCrashing(
  options?: Pick<LowdbDatabaseOptions, 'minJournalBytes'>,
): Promise<OpenedStore> {
  let place = await createDatabaseFolder()
  const places = [place]
  return {
    store: await place.open(options),
    async reopen() {
      place = await copyFolder(place)
      places.push(place)
      return place.open(options)
    },
    async dispose() {
      for (const each of places) await each.dispose()
    },
  }
}

/** Opens a new lowdb store for the contract tests; `reopen` closes it first. */
export async function openInFolder(
  options?: Pick<LowdbDatabaseOptions, 'minJournalBytes'>,
): Promise<OpenedStore> {
  const place = await createDatabaseFolder()
  let current = await place.open(options)
  return {
    store: current,
    async reopen() {
      await current.close()
      current = await place.open(options)
      return current
    },
    dispose: place.dispose,
  }
}
