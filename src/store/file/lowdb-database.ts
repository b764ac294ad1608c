import type { StoredObject } from '../../domain/core/changes.ts'
import { rejectWhenDiskFull } from '../disk/disk-full.ts'
import { createPrivateFolder, requireOwnFile, requireOwnFolder } from '../disk/private-file.ts'
import { createMemorySandboxStorage } from '../memory/memory-sandboxes.ts'
import { COLLECTIONS } from '../port/collections.ts'
import type { Database, SandboxFiles, SandboxLocation } from '../port/database.ts'
import type { StoreContents } from '../port/store.ts'
import { requirePaycliDatabase } from './database-format.ts'
import { type DatabaseFileLock, type LockHolder, lockDatabase } from './lock.ts'
import { type LowdbStoreOptions, openLowdbStore } from './lowdb-store.ts'
import { loadDatabase } from './recovery.ts'
import { eraseDatabase, replaceDatabase } from './replace-database.ts'
import {
  deleteSandboxFiles,
  eraseSandboxes,
  findSandboxIds,
  removeSandboxTemporaries,
  sandboxFile,
  sandboxFolder,
  sizeOfSandboxFiles,
} from './sandbox-files.ts'
import { readSummary, removeSummary, writeSummary } from './sandbox-summaries.ts'
import { createContentsSource } from './snapshot-source.ts'

export interface LowdbDatabaseOptions extends LowdbStoreOptions {
  /** Whether to delete the existing data of all sandboxes first. */
  readonly isReset?: boolean
  readonly holder: LockHolder
}

/**
 * Opens a database of files, and creates its folder when missing. The given file holds the default sandbox, and a
 * folder next to it has a file for each other durable sandbox. The lock of the given file protects the files of all
 * sandboxes.
 */
export async function openLowdbDatabase({
  isReset = false,
  holder,
  ...options
}: LowdbDatabaseOptions): Promise<Database> {
  const { file, newSuffix } = options
  await createPrivateFolder(file)
  // Check the file before the lock creates files next to it.
  await requireOwnFile(file)
  await requirePaycliDatabase(file)
  const lock = await lockDatabase(file, { holder, newSuffix })
  try {
    if (isReset) {
      // Erase the sandboxes first: after a crash in between, the default sandbox still lists them.
      await eraseSandboxes(file)
      await eraseDatabase(file)
    }
    await removeSandboxTemporaries(file)
    const defaultStore = await openLowdbStore(options, lock)
    const sandboxes = createSandboxes(options, lock)
    const files = createSandboxFiles(options)
    return {
      defaultStore,
      storages: ['durable', 'memory'],
      ...sandboxes,
      files,
      close: () => defaultStore.close(),
    }
  } catch (error) {
    await lock.release()
    throw error
  }
}

type Sandboxes = Omit<Database, 'defaultStore' | 'storages' | 'files' | 'close'>

function createSandboxes(
  { onProgress: _, ...options }: LowdbStoreOptions,
  lock: DatabaseFileLock,
): Sandboxes {
  const { file, scheduling } = options
  const memory = createMemorySandboxStorage(scheduling)
  const durable: Sandboxes = {
    openSandbox: ({ id }: SandboxLocation) =>
      rejectWhenDiskFull(async () => {
        await createSandboxFolder(file)
        await removeSummary(sandboxFile(file, id))
        return openLowdbStore(
          { ...options, file: sandboxFile(file, id) },
          { ...lock, release: async () => {} },
        )
      }),
    writeSandbox: ({ id }: SandboxLocation, contents: StoreContents) =>
      rejectWhenDiskFull(async () => {
        await createSandboxFolder(file)
        await removeSummary(sandboxFile(file, id))
        await replaceDatabase(sandboxFile(file, id), createContentsSource(contents), options)
      }),
    listSandboxes: async () => (await findSandboxIds(file)).map((id) => ({ id, storage: 'durable' })),
    deleteSandbox: ({ id }: SandboxLocation) => rejectWhenDiskFull(() => deleteSandboxFiles(file, id)),
  }
  const sandboxesOf = ({ storage }: SandboxLocation) => (storage === 'memory' ? memory : durable)
  return {
    openSandbox: (place) => sandboxesOf(place).openSandbox(place),
    writeSandbox: (place, contents) => sandboxesOf(place).writeSandbox(place, contents),
    listSandboxes: async () => [...(await memory.listSandboxes()), ...(await durable.listSandboxes())],
    deleteSandbox: (place) => sandboxesOf(place).deleteSandbox(place),
  }
}

function createSandboxFiles({ file, newSuffix }: LowdbStoreOptions): SandboxFiles {
  return {
    sizeOf: (id) => sizeOfSandboxFiles(file, id),
    async readCollections(id, names) {
      const isKept = ({ object }: Pick<StoredObject, 'object'>) =>
        names.some((name) => COLLECTIONS[name].object === object)
      const { records } = await loadDatabase(sandboxFile(file, id), { isKept })
      return Object.fromEntries(names.map((name) => [name, [...records.all(name)]])) as never
    },
    writeSummary: (id, summary) => writeSummary(sandboxFile(file, id), summary, newSuffix()),
    readSummary: (id) => readSummary(sandboxFile(file, id)),
  }
}

async function createSandboxFolder(database: string): Promise<void> {
  await requireOwnFolder(sandboxFolder(database))
  await createPrivateFolder(sandboxFile(database, 'any'))
}
