import { copyFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type LowdbOptions, openLowdbStore } from '../../../src/store/file/lowdb.ts'
import type { Store } from '../../../src/store/port/store.ts'
import { type Opened, turn } from '../fixture.ts'

/** A folder of its own for one database, not made yet. */
export interface DatabaseFolder {
  readonly folder: string
  readonly file: string
  /** What the store told a person. */
  readonly notes: string[]
  /** Failures of the disk after which the process should end. */
  readonly broken: unknown[]
  /** What the store said of lost files. */
  readonly lost: string[]
  /** Lets the store opened last look at its files, as it does every second. */
  look: () => Promise<void>
  /** Opens the database; the folder's `dispose` closes it. */
  readonly open: (options?: Pick<LowdbOptions, 'minJournalBytes' | 'isReset'>) => Promise<Store>
  readonly dispose: () => Promise<void>
}

/** Of all folders together, as a copy of one has what another one made. */
let suffixes = 0

/** Makes a place for a database below the system's temporary folder. */
export async function makeFolder(): Promise<DatabaseFolder> {
  const root = await mkdtemp(join(tmpdir(), 'paycli-store-'))
  const folder = join(root, 'nested', 'data')
  const opened: Store[] = []
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
    look: async () => {},
    async open(options = {}) {
      const store = await openLowdbStore({
        ...options,
        file: self.file,
        newSuffix,
        clockwork: { pause: turn, monotonicMs: () => performance.now() },
        holder: { pid: process.pid, url: 'http://127.0.0.1:4010' },
        onNote: (note) => self.notes.push(note),
        watch: (look) => {
          self.look = look
          return { stop: async () => {} }
        },
        onLost: (message) => self.lost.push(message),
        onBroken: (error) => self.broken.push(error),
      })
      opened.push(store)
      return store
    },
    async dispose() {
      await Promise.allSettled(opened.map((store) => store.close()))
      await rm(root, { recursive: true, force: true })
    },
  }
  return self
}

/** A copy of a database's folder as it is at this moment, as a crash would leave it; free to be opened. */
export async function copyFolder({ folder }: DatabaseFolder): Promise<DatabaseFolder> {
  const copy = await makeFolder()
  mkdirSync(copy.folder, { recursive: true })
  // All at once: the store may go on by one step of the disk meanwhile, but not by two.
  for (const name of readdirSync(folder)) {
    try {
      copyFileSync(join(folder, name), join(copy.folder, name))
    } catch (error) {
      if (existsSync(join(folder, name))) throw error
    }
  }
  return copy
}

/** Opens a new lowdb store for the contract; it is opened again from a copy, without having been closed. */
export async function openToCrash(options?: Pick<LowdbOptions, 'minJournalBytes'>): Promise<Opened> {
  let place = await makeFolder()
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

/** Opens a new lowdb store for the contract. */
export async function openInFolder(options?: Pick<LowdbOptions, 'minJournalBytes'>): Promise<Opened> {
  const place = await makeFolder()
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
