import type { Sandbox } from '../../domain/sandboxes.ts'
import { EMPTY_CONTENTS } from '../../engine/sandbox-copies.ts'
import type { Database, SandboxPlace } from '../../store/port/database.ts'
import type { StoreContents } from '../../store/port/store.ts'

/** The contents that copied sandboxes began with, for a reset. */
export interface SandboxOrigins {
  readonly keep: (sandbox: Sandbox, contents: StoreContents) => Promise<void>
  readonly load: (sandbox: Sandbox) => Promise<StoreContents>
  readonly remove: (sandbox: Sandbox) => Promise<void>
}

/** Creates the origins of the sandboxes of a database. Those in memory share the immutable records. */
export function createSandboxOrigins(database: Database): SandboxOrigins {
  const inMemory = new Map<string, StoreContents>()
  const placeOf = ({ id, storage }: Sandbox): SandboxPlace => ({ id: `${id}-origin`, storage })
  return {
    async keep(sandbox, contents) {
      if (sandbox.storage === 'memory') inMemory.set(sandbox.id, contents)
      else await database.writeSandbox(placeOf(sandbox), contents)
    },
    async load(sandbox) {
      if (sandbox.from === null) return EMPTY_CONTENTS
      return inMemory.get(sandbox.id) ?? captureClosed(database, placeOf(sandbox))
    },
    async remove(sandbox) {
      inMemory.delete(sandbox.id)
      if (sandbox.storage === 'durable' && sandbox.from !== null) {
        await database.deleteSandbox(placeOf(sandbox))
      }
    },
  }
}

/** Returns the contents of a sandbox that is not open. */
export async function captureClosed(database: Database, place: SandboxPlace): Promise<StoreContents> {
  const store = await database.openSandbox(place)
  try {
    return await store.capture()
  } finally {
    await store.close()
  }
}
