import type { StoredObject } from '../../domain/core/changes.ts'
import { convertDiskFullErrors } from '../disk/disk-full.ts'
import {
  createPrivateParentFolder,
  requireOwnFileIfExists,
  requireOwnFolderIfExists,
} from '../disk/private-file.ts'
import { createMemorySandboxStorage } from '../memory/memory-sandboxes.ts'
import { COLLECTION_RULES } from '../port/collections.ts'
import type { Database, SandboxFiles, SandboxLocation } from '../port/database.ts'
import type { StoreContents } from '../port/store.ts'
import { rejectForeignDatabaseFile } from './database-format.ts'
import { type DatabaseFileLock, type LockHolder, lockDatabase } from './lock.ts'
import { type LowdbStoreOptions, openLowdbStore } from './lowdb-store.ts'
import { loadDatabase } from './recovery.ts'
import { eraseDatabase, replaceDatabase } from './replace-database.ts'
import {
  deleteSandboxFiles,
  eraseNonDefaultSandboxes,
  getSandboxesFolder,
  getSandboxFile,
  listSandboxIds,
  measureSandboxFiles,
  removeTemporarySandboxFiles,
} from './sandbox-files.ts'
import { readSummary, removeSummary, writeSummary } from './sandbox-summaries.ts'
import { createSnapshotSource } from './snapshot-source.ts'

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
  await createPrivateParentFolder(file)
  // Check the file before the lock creates files next to it.
  await requireOwnFileIfExists(file)
  await rejectForeignDatabaseFile(file)
  const lock = await lockDatabase(file, { holder, newSuffix })
  try {
    if (isReset) {
      // Erase the other sandboxes first: after a crash, the default sandbox still lists the remaining sandboxes.
      await eraseNonDefaultSandboxes(file)
      await eraseDatabase(file)
    }
    await removeTemporarySandboxFiles(file)
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

  /** Creates the folder of sandboxes, and deletes the summary of the sandbox, which is about to change. */
  async function prepareFile(id: string): Promise<string> {
    const path = getSandboxFile(file, id)
    await requireOwnFolderIfExists(getSandboxesFolder(file))
    await createPrivateParentFolder(path)
    await removeSummary(path)
    return path
  }

  const durable: Sandboxes = {
    openSandbox: ({ id }: SandboxLocation) =>
      convertDiskFullErrors(async () =>
        openLowdbStore({ ...options, file: await prepareFile(id) }, { ...lock, release: async () => {} }),
      ),
    writeSandbox: ({ id }: SandboxLocation, contents: StoreContents) =>
      convertDiskFullErrors(async () =>
        replaceDatabase(await prepareFile(id), createSnapshotSource(contents), options),
      ),
    listSandboxes: async () => (await listSandboxIds(file)).map((id) => ({ id, storage: 'durable' })),
    deleteSandbox: ({ id }: SandboxLocation) => convertDiskFullErrors(() => deleteSandboxFiles(file, id)),
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
    sizeOf: (id) => measureSandboxFiles(file, id),
    async readCollections(id, names) {
      const isKept = ({ object }: Pick<StoredObject, 'object'>) =>
        names.some((name) => COLLECTION_RULES[name].object === object)
      const { records } = await loadDatabase(getSandboxFile(file, id), { isKept })
      return Object.fromEntries(names.map((name) => [name, [...records.all(name)]])) as never
    },
    writeSummary: (id, summary) => writeSummary(getSandboxFile(file, id), summary, newSuffix()),
    readSummary: (id) => readSummary(getSandboxFile(file, id)),
  }
}
