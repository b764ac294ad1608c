import type { SandboxCounts, SandboxStorage } from '../../domain/sandboxes/sandboxes.ts'
import type { CollectionName, CollectionRecordTypes } from './collections.ts'
import type { Store, StoreContents } from './store.ts'

/** Identifies the stored records of a sandbox. */
export interface SandboxLocation {
  /** The id of the sandbox, or a name derived from it such as `sbx_…-origin`. */
  readonly id: string
  readonly storage: SandboxStorage
}

/** The summary of a closed sandbox, which is readable without opening the sandbox. */
export interface SandboxSummary {
  readonly counts: SandboxCounts
  /** Approximate size of the JSON texts of the records, in bytes. */
  readonly bytes: number
  /** The next deadline in real time, in Unix seconds, or null. */
  readonly wakesAt: number | null
}

/** The durable sandboxes of a database in files, each of which is loaded into memory when it is opened. */
export interface SandboxFiles {
  /** Returns the size of the files of a sandbox in bytes. */
  sizeOf(id: string): Promise<number>
  /** Returns the records of the given collections of a closed sandbox, without loading other collections. */
  readCollections<C extends CollectionName>(
    id: string,
    names: readonly C[],
  ): Promise<{ readonly [N in C]: readonly CollectionRecordTypes[N][] }>
  /** Stores the summary of a sandbox that was just closed. */
  writeSummary(id: string, summary: SandboxSummary): Promise<void>
  /** Returns the summary of a sandbox; null after a crash. */
  readSummary(id: string): Promise<SandboxSummary | null>
}

/** The other processes that share a database. */
export interface PeerProcesses {
  /** Calls `listener` with a sandbox that another process changed, or with null when any sandbox may have changed. */
  onSandboxChange(listener: (id: string | null) => void): void
  /** Returns the next deadline of a sandbox in real time, in Unix seconds, or null; does not open its store. */
  nextDeadlineOf(id: string): Promise<number | null>
}

/**
 * A database: the store of the default sandbox, and one store for each other sandbox. A store contains only the records
 * of its own sandbox. The database does not know which sandboxes exist: they are records of the default sandbox.
 */
export interface Database {
  /** The store of the default sandbox. */
  readonly defaultStore: Store
  /** The storages that sandboxes can use; the first is the default. */
  readonly storages: readonly SandboxStorage[]
  /**
   * Opens the store of a sandbox, which is empty at first; the caller closes it. At most one store of a location may be
   * open at a time.
   */
  openSandbox(place: SandboxLocation): Promise<Store>
  /**
   * Replaces the contents of a sandbox in one atomic step, which is durable for the storage `durable`. The store of the
   * sandbox must be closed, or belong to another process that shares the database.
   */
  writeSandbox(place: SandboxLocation, contents: StoreContents): Promise<void>
  /** Returns the locations that have contents, in no particular order, so that leftovers of a crash can be deleted. */
  listSandboxes(): Promise<readonly SandboxLocation[]>
  /** Deletes the contents of a sandbox; does nothing without contents. The store of the sandbox must be closed. */
  deleteSandbox(place: SandboxLocation): Promise<void>
  /** The other processes that share the database; undefined when only one process can open it. */
  readonly peers?: PeerProcesses
  /** The durable sandboxes in files; undefined for other databases. */
  readonly files?: SandboxFiles
  /** Closes the store of the default sandbox. The caller must close the other stores first. */
  close(): Promise<void>
}
