import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLowdbStore } from '../../src/store/lowdb.ts'
import type { Store } from '../../src/store/store.ts'
import type { Opened } from './fixture.ts'

/** A folder of its own for one database, not made yet, and ways to watch and break its writes. */
export interface DatabaseFolder {
  readonly folder: string
  readonly file: string
  /** Called at the start of every write of the file, while it is under way; what it returns names the temporary file. */
  onWrite: () => string
  /** Opens the database; the folder's `dispose` closes it. */
  readonly open: () => Promise<Store>
  readonly dispose: () => Promise<void>
}

/** A suffix for a temporary file that cannot be made, because its folder is not there. */
export const UNWRITABLE = 'gone/suffix'

/** Makes a place for a database below the system's temporary folder. */
export async function makeFolder(): Promise<DatabaseFolder> {
  const root = await mkdtemp(join(tmpdir(), 'paycli-store-'))
  const folder = join(root, 'nested', 'data')
  const opened: Store[] = []
  let writes = 0
  const self: DatabaseFolder = {
    folder,
    file: join(folder, 'paycli.json'),
    onWrite: () => {
      writes += 1
      return `suffix-${writes}`
    },
    async open() {
      const store = await openLowdbStore({ file: self.file, newSuffix: () => self.onWrite() })
      opened.push(store)
      return store
    },
    async dispose() {
      for (const store of opened) await store.close()
      await rm(root, { recursive: true, force: true })
    },
  }
  return self
}

/** Opens a new lowdb store for the contract. */
export async function openInFolder(): Promise<Opened> {
  const place = await makeFolder()
  let current = await place.open()
  return {
    store: current,
    async reopen() {
      await current.close()
      current = await place.open()
      return current
    },
    dispose: place.dispose,
  }
}
